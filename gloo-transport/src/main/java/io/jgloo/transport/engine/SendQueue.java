package io.jgloo.transport.engine;

import io.jgloo.transport.JGlooException;
import java.util.ArrayDeque;
import java.util.function.LongPredicate;

/**
 * The messages that a pair has to send: frames in order, and messages that are announced and not
 * granted yet.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
public final class SendQueue {

  /** Opcode of a message with its payload; the same on every transport. */
  public static final int EAGER = 1;

  /** Opcode of the announcement of a message; the same on every transport of ours. */
  public static final int ANNOUNCE = 2;

  private final OutgoingList waiting = new OutgoingList();
  private final OutgoingList announced = new OutgoingList();
  private final ArrayDeque<Outgoing> free = new ArrayDeque<>();

  /** Frames of which no byte has moved. */
  public OutgoingList waiting() {
    return waiting;
  }

  /** Announced messages that the peer has not granted, or not all of their bytes. */
  public OutgoingList announced() {
    return announced;
  }

  /** Queues a frame that carries or announces a send. */
  public Outgoing add(int opcode, EngineRequest request) {
    Outgoing frame = add(opcode, request.slot(), request.length());
    frame.fingerprintHigh = request.fingerprintHigh();
    frame.fingerprintLow = request.fingerprintLow();
    frame.remoteOffset = request.isBound() ? request.remoteOffset() : 0;
    frame.request = request;
    return frame;
  }

  /** Queues a frame without payload. */
  public Outgoing add(int opcode, long slot, long length) {
    Outgoing frame = make(opcode, slot, length);
    waiting.add(frame);
    return frame;
  }

  /** A blank frame that is in no list. */
  public Outgoing make(int opcode, long slot, long length) {
    Outgoing frame = free.isEmpty() ? new Outgoing() : free.poll();
    frame.opcode = opcode;
    frame.slot = slot;
    frame.length = length;
    frame.fingerprintHigh = 0;
    frame.fingerprintLow = 0;
    frame.remoteOffset = 0;
    frame.granule = 1;
    frame.eager = false;
    frame.number = 0;
    frame.ticket = 0;
    frame.key = 0;
    frame.granted = 0;
    frame.done = 0;
    return frame;
  }

  /** Takes a frame of which no byte has moved out of the queue. */
  public void discard(Outgoing frame) {
    waiting.remove(frame);
    recycle(frame);
  }

  /** Keeps a frame that is in no list for the next one. */
  public void recycle(Outgoing frame) {
    frame.request = null;
    frame.notice = null;
    free.addFirst(frame);
  }

  /** Whether a send waits that is not done. */
  public boolean isPending() {
    return waiting.hasRequest() || announced.hasRequest();
  }

  /** A send on this slot that is not done, or null. */
  EngineRequest find(long slot) {
    Outgoing frame = announced.find(slot);
    if (frame == null) {
      frame = waiting.find(slot);
    }
    return frame == null ? null : frame.request;
  }

  /** Whether a send on one of these slots is not done. */
  public boolean awaits(LongPredicate slots) {
    return waiting.hasRequest(slots) || announced.hasRequest(slots);
  }

  /** Fails every send; the user's memory is not touched any more. */
  public void failAll(JGlooException cause) {
    failAll(waiting, cause);
    failAll(announced, cause);
  }

  private void failAll(OutgoingList list, JGlooException cause) {
    for (Outgoing frame = list.poll(); frame != null; frame = list.poll()) {
      if (frame.request != null) {
        frame.request.fail(cause);
      }
      recycle(frame);
    }
  }
}
