package io.jgloo.transport.tcp.stream;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.engine.Outgoing;
import io.jgloo.transport.engine.SendQueue;
import io.jgloo.transport.library.JniCalls;
import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.wire.Frame;
import java.io.IOException;
import java.util.function.LongPredicate;

/**
 * The sending half of a pair: frames in order, small ones staged into one write, large ones
 * gathered from the user's memory.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: its staging memory.
 */
public final class Outbox {

  /** Payloads up to this are copied behind their header: one write, and the memory is free. */
  private static final int COPY_BYTES = 8 << 10;

  private static final int STAGE_BYTES = 16 << 10;

  private static final int PAGE_BYTES = 4096;

  /** Where a large array's elements begin in a page, as large objects begin at a page's start. */
  private static final int ARRAY_HEADER_BYTES = 16;

  private final Stream stream;
  private final SendQueue sends;
  private final int headerBytes;
  private Outgoing large;
  private long largeSent;
  private long stage;
  private int head;
  private int tail;
  private boolean wrote; // since the last check

  Outbox(Stream stream, SendQueue sends) {
    this.stream = stream;
    this.sends = sends;
    headerBytes = stream.rules().headerBytes();
  }

  public SendQueue sends() {
    return sends;
  }

  /** Queues and sends a frame without payload. */
  public void control(int opcode, long slot, long length) {
    sends.add(opcode, slot, length);
    flush();
  }

  /** Whether a large message is cut off in the stream. */
  boolean isWriting() {
    return large != null;
  }

  /** Whether what is queued cannot follow what is staged: a message is cut off, or too much is. */
  public boolean isCutOff() {
    return large != null || sends.waiting().first() != null;
  }

  /** Whether anything waits for room in the socket: its sends may be done. */
  public boolean hasUnsent() {
    return head != tail || large != null || sends.waiting().first() != null;
  }

  /** Whether nothing was written since this was last asked, and nothing waits to be written. */
  public boolean wasIdle() {
    boolean idle = !wrote && !hasUnsent();
    wrote = false;
    return idle;
  }

  /** Whether a send on one of these slots is not done. */
  boolean awaits(LongPredicate slots) {
    return (large != null && slots.test(large.slot)) || sends.awaits(slots);
  }

  /** Fails the send that is under way; the user's memory is not touched any more. */
  void failAll(JGlooException cause) {
    if (large != null && large.request != null) {
      large.request.fail(cause);
      large.request = null;
    }
  }

  /**
   * Sends a last frame behind what is staged.
   *
   * @param call named in its header, or null
   * @return false if it cannot be sent on this stream, because a message is cut off in it, the
   *     socket is full, or there is no memory
   */
  boolean writeLast(int opcode, byte[] notice, MismatchException.Side call) {
    if (large != null) {
      return false;
    }
    try {
      reserveStage();
    } catch (OutOfMemoryError e) {
      return false;
    }
    long length = notice == null ? 0 : notice.length;
    Outgoing frame = sends.add(opcode, call == null ? 0 : call.slot(), length);
    frame.notice = notice;
    if (call != null) {
      frame.fingerprintHigh = call.fingerprintHigh();
      frame.fingerprintLow = call.fingerprintLow();
    }
    flush();
    return sends.waiting().first() == null && head == tail;
  }

  /**
   * Readies what is queued for one write with what may come, so that what is copied has completed.
   *
   * @return false if there is no room for all of it, or it is not worth waiting with
   */
  boolean stage() {
    if (stream.link() != null) {
      stageFrames();
    }
    return large == null && sends.waiting().first() == null && tail < STAGE_BYTES / 2;
  }

  /** Writes until everything is written or the socket is full, or broken. */
  public void flush() {
    Link link = stream.link();
    if (link != null) {
      flush(link);
    }
  }

  private void flush(Link link) {
    while (stream.link() == link) {
      stageFrames();
      int staged = tail - head;
      boolean cutOff = large != null && large.request == null; // by a failure
      if ((staged == 0 && large == null) || cutOff || !link.writable) {
        return;
      }
      long left = large == null ? 0 : Math.min(large.here - largeSent, mostAtOnce());
      long written;
      try {
        written = write(link, staged, left);
      } catch (IOException e) {
        stream.cannotWrite(e);
        return;
      }
      if (written < Math.min(staged + left, Link.MAX_CALL_BYTES)) {
        link.writable = false;
      }
      stream.written(written);
      advance(written, staged);
    }
  }

  private long mostAtOnce() {
    return large.request.array() == null ? Long.MAX_VALUE : JniCalls.MOST_ARRAY_BYTES;
  }

  private long write(Link link, int staged, long left) throws IOException {
    if (left == 0) {
      return link.write(stage + head, staged);
    }
    long from = large.request.address() + largeSent;
    Object array = large.request.array();
    if (array != null) {
      return link.write(stage + head, staged, array, from, (int) left);
    }
    if (staged == 0) {
      return link.write(from, (int) Math.min(left, Link.MAX_CALL_BYTES));
    }
    return link.write(
        stage + head, staged, from, (int) Math.min(left, Link.MAX_CALL_BYTES - staged));
  }

  private void advance(long written, int staged) {
    wrote |= written > 0;
    int ofStage = (int) Math.min(written, staged);
    head += ofStage;
    if (head == tail) {
      head = 0;
      tail = 0;
    }
    if (large != null) {
      largeSent += written - ofStage;
      if (largeSent == large.here) {
        large.request.completePart(stream.pair().peer());
        sends.recycle(large);
        large = null;
      }
    }
  }

  /** Moves waiting frames into the staging memory, as far as they fit and order lets them. */
  private void stageFrames() {
    while (large == null) {
      Outgoing frame = sends.waiting().first();
      if (frame == null) {
        return;
      }
      boolean payload = frame.length > 0 && Frame.carries(frame.opcode);
      boolean copied = payload && !isInArray(frame) && frame.length <= COPY_BYTES;
      int needed = headerBytes + (copied ? (int) frame.length : 0);
      if (needed > STAGE_BYTES - tail) {
        return;
      }
      reserveStage(); // may fail, so the frame is still where failures look for its request
      if (payload && !copied && isCopiedSlowly(frame) && stageFiller()) {
        continue;
      }
      sends.waiting().poll();
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

  /**
   * Whether the kernel would copy this payload slowly: the string instruction that it copies with
   * takes 1.5 to 2 times the time on AMD's processors if the target begins less than a cache line
   * behind the source, but for whole pages between them. The target is where the bytes before end,
   * counted from the beginning of a page as long as the peer has taken all that was sent before.
   */
  private boolean isCopiedSlowly(Outgoing frame) {
    if (frame.request == null || !stream.link().isCopiedByKernel()) {
      return false;
    }
    long from = frame.request.address() + (isInArray(frame) ? ARRAY_HEADER_BYTES : 0);
    long ahead = (tail - head + headerBytes - from) & (PAGE_BYTES - 1);
    return ahead > 0 && ahead < Memory.CACHE_LINE;
  }

  /** Moves what follows by a header; false if the wire has none to spare, or there is no room. */
  private boolean stageFiller() {
    int opcode = stream.rules().filler();
    if (opcode == 0 || 2 * headerBytes > STAGE_BYTES - tail) {
      return false;
    }
    Outgoing filler = sends.make(opcode, 0, 0);
    stageHeader(filler);
    sends.recycle(filler);
    return true;
  }

  private boolean isInArray(Outgoing frame) {
    boolean inArray = frame.request != null && frame.request.array() != null;
    if (inArray && !stream.sendsArrays()) {
      throw new IllegalStateException("an array was sent before " + stream + " was connected");
    }
    return inArray;
  }

  /** Sets how much of a payload follows the header; the rest goes by other connections. */
  private long begin(Outgoing frame) {
    if (frame.opcode == Frame.DATA) {
      return stream.beginSend(frame.request, frame.length, frame.granule);
    }
    if (frame.request != null) {
      frame.request.begin(frame.length, 1);
    }
    return frame.length;
  }

  private void reserveStage() {
    if (stage == 0) {
      stage = Memory.allocate(STAGE_BYTES, Memory.CACHE_LINE);
    }
  }

  private void stageHeader(Outgoing frame) {
    stream.rules().write(stage + tail, frame);
    tail += headerBytes;
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
    if (frame.opcode == Frame.SHARED) {
      stream.lending().sent(frame);
      return;
    }
    if (frame.opcode == Frame.ANNOUNCE && frame.request != null) {
      sends.announced().add(frame);
      return;
    }
    if (frame.request != null) {
      frame.request.complete(frame.length, stream.pair().peer());
    }
    sends.recycle(frame);
  }

  /** Bytes staged and not written yet, for the delayed close of the link. */
  public byte[] takeStaged() {
    byte[] left = new byte[large != null ? 0 : tail - head];
    if (left.length > 0) {
      Memory.copy(stage + head, left, 0, left.length);
    }
    return left;
  }

  public void close() {
    if (stage != 0) {
      Memory.free(stage);
      stage = 0;
    }
    head = 0;
    tail = 0;
    large = null;
  }
}
