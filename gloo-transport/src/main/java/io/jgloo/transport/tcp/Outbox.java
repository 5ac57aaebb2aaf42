package io.jgloo.transport.tcp;

import io.jgloo.transport.Chain;
import io.jgloo.transport.GlooException;
import io.jgloo.transport.Memory;
import java.io.IOException;
import java.util.function.LongPredicate;

/**
 * The sending half of a pair: frames in order, small ones staged into one write, large ones
 * gathered from the user's memory.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: its staging memory.
 */
final class Outbox {

  /** Payloads up to this are copied behind their header: one write, and the memory is free. */
  private static final int COPY_BYTES = 8 << 10;

  private static final int STAGE_BYTES = 16 << 10;

  private final TcpPair pair;
  private final OutgoingList waiting = new OutgoingList();
  private final OutgoingList announced = new OutgoingList();
  private final Chain<Outgoing> free = new Chain<>();
  private Outgoing large;
  private long largeSent;
  private long stage;
  private int head;
  private int tail;

  Outbox(TcpPair pair) {
    this.pair = pair;
  }

  /** Frames of which no byte is staged. */
  OutgoingList waiting() {
    return waiting;
  }

  /** Messages the peer knows of and has not asked for. */
  OutgoingList announced() {
    return announced;
  }

  /** Queues a frame that carries or announces a send. */
  void queue(int opcode, TcpRequest request) {
    Outgoing frame = frame(opcode, request.slot(), request.length());
    frame.fingerprintHigh = request.fingerprintHigh();
    frame.fingerprintLow = request.fingerprintLow();
    frame.remoteOffset = request.isBound() ? request.remoteOffset() : 0;
    frame.request = request;
    waiting.add(frame);
  }

  /** Queues a frame that is in no list. */
  void queue(Outgoing frame) {
    waiting.add(frame);
  }

  /** Queues and sends a frame without payload. */
  void control(int opcode, long slot, long length) {
    waiting.add(frame(opcode, slot, length));
    flush();
  }

  /** Queues a frame without payload, to go with the next one. */
  void controlLater(int opcode, long slot, long length) {
    waiting.add(frame(opcode, slot, length));
  }

  /** Takes a frame of which no byte is staged out of the queue. */
  void discard(Outgoing frame) {
    waiting.remove(frame);
    release(frame);
  }

  /** Whether a send is not done yet. */
  boolean isPending() {
    return large != null
        || waiting.first() != null
        || announced.hasRequest()
        || pair.lanes().sends();
  }

  /** Whether a send on one of these slots is not done. */
  boolean awaits(LongPredicate slots) {
    return (large != null && slots.test(large.slot))
        || waiting.hasRequest(slots)
        || announced.hasRequest(slots);
  }

  /** Fails every send; the user's memory is not touched any more. */
  void failAll(GlooException cause) {
    if (large != null && large.request != null) {
      large.request.fail(cause);
      large.request = null;
    }
    failAll(waiting, cause);
    failAll(announced, cause);
  }

  /**
   * Sends a last frame behind what is staged.
   *
   * @return false if the peer cannot be told on this stream, because a message is cut off in it or
   *     the socket is full
   */
  boolean farewell(int opcode, byte[] notice) {
    if (large != null) {
      return false;
    }
    Outgoing frame = frame(opcode, 0, notice == null ? 0 : notice.length);
    frame.notice = notice;
    waiting.add(frame);
    flush();
    return waiting.first() == null && head == tail;
  }

  /**
   * Readies what is queued for one write with what may come, so that what is copied has completed.
   *
   * @return false if there is no room for all of it, or it is not worth waiting with
   */
  boolean stage() {
    if (pair.link() != null) {
      stageFrames();
    }
    return large == null && waiting.first() == null && tail < STAGE_BYTES / 2;
  }

  /** Writes until everything is written or the socket is full, or broken. */
  void flush() {
    Link link = pair.link();
    if (link != null) {
      flush(link);
      pair.lanes().flush();
    }
  }

  private void flush(Link link) {
    while (pair.link() == link) {
      stageFrames();
      int staged = tail - head;
      if ((staged == 0 && large == null) || !link.writable) {
        return;
      }
      long left = large == null ? 0 : large.here - largeSent;
      long written;
      try {
        written = write(link, staged, left);
      } catch (IOException e) {
        pair.cannotWrite(e);
        return;
      }
      if (written < Math.min(staged + left, Link.MAX_CALL_BYTES)) {
        link.writable = false;
      }
      pair.mesh().traffic().written(written);
      advance(written, staged);
    }
  }

  private long write(Link link, int staged, long left) throws IOException {
    if (left == 0) {
      return link.write(stage + head, staged);
    }
    long from = large.request.address() + largeSent;
    if (staged == 0) {
      return link.write(from, (int) Math.min(left, Link.MAX_CALL_BYTES));
    }
    return link.write(
        stage + head, staged, from, (int) Math.min(left, Link.MAX_CALL_BYTES - staged));
  }

  private void advance(long written, int staged) {
    int ofStage = (int) Math.min(written, staged);
    head += ofStage;
    if (head == tail) {
      head = 0;
      tail = 0;
    }
    if (large != null) {
      largeSent += written - ofStage;
      if (largeSent == large.here) {
        large.request.completePart(pair.peer());
        release(large);
        large = null;
      }
    }
  }

  /** Moves waiting frames into the staging memory, as far as they fit and order lets them. */
  private void stageFrames() {
    while (large == null) {
      Outgoing frame = waiting.first();
      if (frame == null) {
        return;
      }
      boolean payload = frame.length > 0 && Frame.carries(frame.opcode);
      boolean copied = payload && frame.length <= COPY_BYTES;
      int needed = Flow.HEADER_BYTES + (copied ? (int) frame.length : 0);
      if (needed > STAGE_BYTES - tail) {
        return;
      }
      waiting.poll();
      stageHeader(frame);
      frame.here = payload ? begin(frame) : 0;
      if (copied) {
        stagePayload(frame);
      }
      if (payload && !copied) {
        large = frame;
        largeSent = 0;
      } else {
        finish(frame);
      }
    }
  }

  /** Says how much of a payload follows the header; the rest goes by other connections. */
  private long begin(Outgoing frame) {
    if (frame.opcode == Frame.DATA) {
      return pair.lanes().send(frame.request, frame.length, frame.granule);
    }
    if (frame.request != null) {
      frame.request.begin(frame.length, 1);
    }
    return frame.length;
  }

  private void stageHeader(Outgoing frame) {
    if (stage == 0) {
      stage = Memory.allocate(STAGE_BYTES, Memory.CACHE_LINE);
    }
    pair.flow().write(stage + tail, frame);
    tail += Flow.HEADER_BYTES;
  }

  private void stagePayload(Outgoing frame) {
    if (frame.notice != null) {
      Memory.copy(frame.notice, 0, stage + tail, frame.notice.length);
    } else {
      Memory.copy(frame.request.address(), stage + tail, frame.length);
    }
    tail += (int) frame.length;
  }

  private void finish(Outgoing frame) {
    if (frame.opcode == Frame.ANNOUNCE && frame.request != null) {
      announced.add(frame);
      return;
    }
    if (frame.request != null) {
      frame.request.complete(frame.length, pair.peer());
    }
    release(frame);
  }

  private void failAll(OutgoingList list, GlooException cause) {
    for (Outgoing frame = list.poll(); frame != null; frame = list.poll()) {
      if (frame.request != null) {
        frame.request.fail(cause);
      }
      release(frame);
    }
  }

  private Outgoing frame(int opcode, long slot, long length) {
    Outgoing frame = free.isEmpty() ? new Outgoing() : free.poll();
    frame.opcode = opcode;
    frame.slot = slot;
    frame.length = length;
    frame.fingerprintHigh = 0;
    frame.fingerprintLow = 0;
    frame.remoteOffset = 0;
    frame.granule = 1;
    return frame;
  }

  private void release(Outgoing frame) {
    frame.request = null;
    frame.notice = null;
    free.addFirst(frame);
  }

  /** Bytes staged and not written yet, for whoever lingers on the link. */
  byte[] takeStaged() {
    byte[] left = new byte[large != null ? 0 : tail - head];
    if (left.length > 0) {
      Memory.copy(stage + head, left, 0, left.length);
    }
    return left;
  }

  void close() {
    if (stage != 0) {
      Memory.free(stage);
      stage = 0;
    }
    head = 0;
    tail = 0;
    large = null;
  }
}
