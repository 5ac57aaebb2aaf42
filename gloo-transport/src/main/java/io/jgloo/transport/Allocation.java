package io.jgloo.transport;

import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Memory off the heap that was allocated for the messages of one mesh.
 *
 * <p>If it is shared, peers of this host read what is sent from it in place: no byte is copied into
 * a ring. Else it is plain direct memory. Both are used like any other memory.
 *
 * <p><i>Threads</i>: any. <i>Owns</i>: the memory, until {@link #close} and until no buffer of it
 * is reachable.
 */
public final class Allocation implements AutoCloseable {

  /** Longest allocation. */
  public static final long MAX_BYTES = 1L << 30;

  private static final int ALIGNMENT = Memory.CACHE_LINE;

  private final ByteBuffer memory;
  private final boolean shared;
  private final Runnable release;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Describes memory; for devices.
   *
   * @param memory direct, from position to limit
   * @param shared whether peers may read it in place
   * @param release gives the memory back; called once
   */
  public Allocation(ByteBuffer memory, boolean shared, Runnable release) {
    this.memory = memory;
    this.shared = shared;
    this.release = release;
  }

  /**
   * Direct memory of this process alone, filled with zeros.
   *
   * @throws IllegalArgumentException if bytes is not 1 to {@link #MAX_BYTES}
   * @throws OutOfMemoryError if there is not so much direct memory
   */
  public static Allocation unshared(long bytes) {
    check(bytes);
    ByteBuffer whole = ByteBuffer.allocateDirect((int) bytes + ALIGNMENT);
    int skew = (int) (-Memory.addressOf(whole) & (ALIGNMENT - 1));
    return new Allocation(whole.slice(skew, (int) bytes), false, () -> {});
  }

  /**
   * Checks the size of an allocation.
   *
   * @throws IllegalArgumentException if bytes is not 1 to {@link #MAX_BYTES}
   */
  public static void check(long bytes) {
    if (bytes < 1 || bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "bytes must be 1 to " + MAX_BYTES + ", but is " + bytes + "; allocate several times");
    }
  }

  /** Number of bytes. */
  public long bytes() {
    return memory.remaining();
  }

  /** Whether peers of this host can read it in place. */
  public boolean isShared() {
    return shared;
  }

  /**
   * A view of all bytes, in native byte order, with a position and limit of its own. Views stay
   * mapped after {@link #close}; their contents are undefined then.
   *
   * @throws IllegalStateException if it is closed
   */
  public ByteBuffer buffer() {
    if (closed.get()) {
      throw new IllegalStateException("the allocation of " + bytes() + " bytes is closed");
    }
    return memory.slice().order(ByteOrder.nativeOrder());
  }

  /**
   * Address of the first byte, a multiple of 64. Valid while this object, or a buffer of it, is
   * reachable.
   */
  public long address() {
    return Memory.addressOf(memory) + memory.position();
  }

  /**
   * Gives the memory back: at once if it is an anonymous file, else when no buffer of it is
   * reachable any more. Sends from it that are not done are completed first. May be called often.
   */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      release.run();
    }
  }

  @Override
  public String toString() {
    return bytes() + " bytes of " + (shared ? "shared" : "private") + " memory";
  }
}
