package io.jgloo.transport.tcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.SplittableRandom;

/** One direction of a {@link Wire}. */
public final class Pipe {

  /** Bytes under way and when they are due. */
  private record Piece(ByteBuffer bytes, long dueNanos) {}

  private static final int MOST_UNDER_WAY = 256 << 10;

  private final SocketChannel source;
  private final SocketChannel sink;
  private final Shape shape;
  private final SplittableRandom random = new SplittableRandom(4711);
  private final ArrayDeque<Piece> pieces = new ArrayDeque<>();
  private final ByteArrayOutputStream record; // null if no recording is wanted
  private int underWay;
  private long lastDueNanos = System.nanoTime();
  private boolean sourceEnded;
  private boolean sinkEnded;
  private volatile boolean stalled;
  private volatile long stallAt = Long.MAX_VALUE;
  private volatile long passed;
  private volatile long cutAt = Long.MAX_VALUE;
  private volatile boolean cutByReset;
  private volatile boolean flips;

  Pipe(SocketChannel source, SocketChannel sink, Shape shape, boolean recording) {
    this.source = source;
    this.sink = sink;
    this.shape = shape;
    record = recording ? new ByteArrayOutputStream() : null;
  }

  /** Passes nothing on from now on, so that the sender's socket fills and blocks. */
  public void stall() {
    stalled = true;
  }

  /** Stalls as soon as so many bytes have been passed on. */
  public void stallAt(long bytes) {
    stallAt = bytes;
  }

  public void resume() {
    stallAt = Long.MAX_VALUE;
    stalled = false;
  }

  /** Bytes passed on so far. */
  public long passed() {
    return passed;
  }

  /**
   * All bytes of a recording proxy so far. A byte is recorded before it is passed on, so what the
   * receiver has read is here.
   */
  public byte[] recorded() {
    return record.toByteArray();
  }

  /** Breaks the whole wire with resets as soon as so many bytes have been passed on. */
  public void resetAt(long bytes) {
    cutByReset = true;
    cutAt = bytes;
  }

  /** Ends this direction, and it only, as soon as so many bytes have been passed on. */
  public void endAt(long bytes) {
    cutByReset = false;
    cutAt = bytes;
  }

  /** Changes a bit of what comes next. */
  void flip() {
    flips = true;
  }

  /** Whether the wire is to be reset now. */
  boolean isCut() {
    return cutByReset && passed >= cutAt;
  }

  boolean hasEnded() {
    return sinkEnded;
  }

  /** Moves what can be moved; whether anything was. */
  boolean pump() throws IOException {
    if (stalled || passed >= stallAt || sinkEnded) {
      return false;
    }
    if (passed >= cutAt && !cutByReset) {
      sinkEnded = true;
      sink.shutdownOutput();
      return true;
    }
    boolean took = take();
    return give() || took;
  }

  private boolean take() throws IOException {
    if (sourceEnded || underWay >= MOST_UNDER_WAY) {
      return false;
    }
    ByteBuffer bytes =
        ByteBuffer.allocate(random.nextInt(shape.leastBytes(), shape.mostBytes() + 1));
    int count = source.read(bytes);
    if (count < 0) {
      sourceEnded = true;
      return true;
    }
    if (count > 0) {
      if (flips) {
        flips = false;
        bytes.put(count - 1, (byte) (bytes.get(count - 1) ^ 1));
      }
      if (record != null) {
        record.write(bytes.array(), 0, count);
      }
      long now = System.nanoTime();
      long jitter = shape.jitterNanos() == 0 ? 0 : random.nextLong(shape.jitterNanos());
      long cost = (long) (count * 1e9 / shape.bytesPerSecond());
      lastDueNanos = Math.max(lastDueNanos + cost, now + shape.delayNanos() + jitter);
      pieces.add(new Piece(bytes.flip(), lastDueNanos));
      underWay += count;
    }
    return count > 0;
  }

  private boolean give() throws IOException {
    Piece piece = pieces.peek();
    if (piece == null) {
      if (sourceEnded) {
        sinkEnded = true;
        sink.shutdownOutput();
      }
      return sourceEnded;
    }
    if (System.nanoTime() - piece.dueNanos < 0) {
      return false;
    }
    ByteBuffer bytes = piece.bytes;
    int whole = bytes.limit();
    long most = Math.min(cutAt, stallAt) - passed;
    bytes.limit((int) Math.min(whole, bytes.position() + Math.max(0, most)));
    int count = sink.write(bytes);
    bytes.limit(whole);
    long before = passed; // only this thread writes it
    passed = before + count;
    underWay -= count;
    if (!bytes.hasRemaining()) {
      pieces.remove();
    }
    return count > 0;
  }
}
