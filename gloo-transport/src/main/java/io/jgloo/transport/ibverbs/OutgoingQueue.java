package io.jgloo.transport.ibverbs;

import io.jgloo.transport.Chain;
import io.jgloo.transport.GlooException;

/** Frames that wait to be sent, in order, and spare ones. */
final class OutgoingQueue extends Chain<Outgoing> {

  private final Chain<Outgoing> spare = new Chain<>();

  /** A blank frame that is in no queue. */
  Outgoing make(int opcode, long slot, long length) {
    Outgoing frame = spare.isEmpty() ? new Outgoing() : spare.poll();
    frame.opcode = opcode;
    frame.slot = slot;
    frame.length = length;
    frame.high = 0;
    frame.low = 0;
    frame.message = 0;
    frame.ticket = 0;
    frame.key = 0;
    frame.request = null;
    frame.granted = 0;
    frame.done = 0;
    return frame;
  }

  /** A blank frame, added at the end. */
  Outgoing add(int opcode, long slot, long length) {
    Outgoing frame = make(opcode, slot, length);
    add(frame);
    return frame;
  }

  Outgoing find(IbverbsRequest request) {
    Outgoing frame = first();
    while (frame != null && frame.request != request) {
      frame = frame.next();
    }
    return frame;
  }

  boolean hasRequest() {
    Outgoing frame = first();
    while (frame != null && frame.request == null) {
      frame = frame.next();
    }
    return frame != null;
  }

  /** Keeps a frame that is in no queue any more for the next one. */
  void recycle(Outgoing frame) {
    frame.request = null;
    spare.addFirst(frame);
  }

  void failAll(GlooException cause) {
    drain(
        frame -> {
          if (frame.request != null && !frame.request.isDone()) {
            frame.request.fail(cause);
          }
        });
  }
}
