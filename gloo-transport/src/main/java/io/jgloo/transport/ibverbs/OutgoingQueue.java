package io.jgloo.transport.ibverbs;

import io.jgloo.transport.GlooException;

/** Frames that wait to be sent, in order, and spare ones. */
final class OutgoingQueue {

  private Outgoing first;
  private Outgoing last;
  private Outgoing spare;

  /** A blank frame that is in no queue. */
  Outgoing make(int opcode, long slot, long length) {
    Outgoing frame = spare;
    if (frame == null) {
      frame = new Outgoing();
    } else {
      spare = frame.next;
    }
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
    frame.next = null;
    return frame;
  }

  Outgoing add(int opcode, long slot, long length) {
    Outgoing frame = make(opcode, slot, length);
    if (last == null) {
      first = frame;
    } else {
      last.next = frame;
    }
    last = frame;
    return frame;
  }

  Outgoing first() {
    return first;
  }

  Outgoing poll() {
    Outgoing frame = first;
    if (frame != null) {
      remove(frame);
    }
    return frame;
  }

  Outgoing find(IbverbsRequest request) {
    Outgoing frame = first;
    while (frame != null && frame.request != request) {
      frame = frame.next;
    }
    return frame;
  }

  boolean remove(Outgoing frame) {
    Outgoing before = null;
    for (Outgoing at = first; at != null; before = at, at = at.next) {
      if (at == frame) {
        if (before == null) {
          first = at.next;
        } else {
          before.next = at.next;
        }
        if (last == at) {
          last = before;
        }
        at.next = null;
        return true;
      }
    }
    return false;
  }

  boolean hasRequest() {
    for (Outgoing frame = first; frame != null; frame = frame.next) {
      if (frame.request != null) {
        return true;
      }
    }
    return false;
  }

  /** Keeps a frame that is in no queue any more for the next one. */
  void recycle(Outgoing frame) {
    frame.request = null;
    frame.next = spare;
    spare = frame;
  }

  void failAll(GlooException cause) {
    for (Outgoing frame = poll(); frame != null; frame = poll()) {
      if (frame.request != null && !frame.request.isDone()) {
        frame.request.fail(cause);
      }
    }
  }
}
