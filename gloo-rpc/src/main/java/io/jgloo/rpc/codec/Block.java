package io.jgloo.rpc.codec;

import io.jgloo.transport.memory.Memory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Off-heap memory that is part of a message, sent and received without a copy on the heap.
 *
 * <p>The sender reads the memory of a block it sends until it closes the block, which may be after
 * the reply; the receiver owns the blocks of a message it gets and closes them.
 *
 * <p><i>Threads</i>: any may close it; the first call counts. <i>Owns</i>: the memory, if {@link
 * #allocate} made it.
 */
public final class Block implements AutoCloseable {

  private static final Logger LOG = System.getLogger(Block.class.getName());

  private final long address;
  private final long length;
  private final @Nullable Object keepAlive;
  private final AtomicReference<Runnable> release;

  private Block(long address, long length, @Nullable Object keepAlive, Runnable release) {
    this.address = address;
    this.length = length;
    this.keepAlive = keepAlive;
    this.release = new AtomicReference<>(release);
  }

  /**
   * Allocates a block; its contents are undefined.
   *
   * @param bytes its length, at least 0; may exceed 2 GiB
   * @throws OutOfMemoryError if the process cannot have that much
   */
  public static Block allocate(long bytes) {
    return allocate(bytes, () -> {});
  }

  /** Allocates a block that also runs an action when it is closed. */
  public static Block allocate(long bytes, Runnable afterwards) {
    long address = Memory.allocate(bytes, Memory.CACHE_LINE);
    return new Block(
        address,
        bytes,
        null,
        () -> {
          Memory.free(address);
          afterwards.run();
        });
  }

  /**
   * A block of memory that belongs to the caller.
   *
   * @param address first byte; may be 0 only if length is 0
   * @param length in bytes
   * @param released runs once, when the memory is not read any more; must be short and must not
   *     block, because the thread that moves messages may run it
   * @throws IllegalArgumentException if address or length is negative, or address is 0 with a
   *     positive length
   */
  public static Block of(long address, long length, Runnable released) {
    Objects.requireNonNull(released, "released");
    if (length < 0 || address < 0 || (address == 0 && length > 0)) {
      throw new IllegalArgumentException(
          "a block cannot have address " + address + " and length " + length);
    }
    return new Block(address, length, null, released);
  }

  /**
   * A block of a direct buffer's remaining bytes, which keeps the buffer alive.
   *
   * @throws IllegalArgumentException if the buffer lies on the heap
   */
  public static Block of(ByteBuffer buffer) {
    long address = Memory.addressOf(buffer) + buffer.position();
    return new Block(address, buffer.remaining(), buffer, () -> {});
  }

  /** Address of the first byte. */
  public long address() {
    return address;
  }

  /** Length in bytes. */
  public long length() {
    return length;
  }

  /** Returns the object that keeps the memory reachable: a buffer, or this block. */
  public Object keepAlive() {
    return keepAlive == null ? this : keepAlive;
  }

  /**
   * Copies the block to a new array.
   *
   * @throws IllegalStateException if it is longer than an array can be
   */
  public byte[] toArray() {
    if (length > Integer.MAX_VALUE - 8) {
      throw new IllegalStateException("a block of " + length + " bytes does not fit an array");
    }
    byte[] bytes = new byte[(int) length];
    Memory.copy(address, bytes, 0, bytes.length);
    return bytes;
  }

  /** Gives the memory back; later calls do nothing. */
  @Override
  public void close() {
    Runnable once = release.getAndSet(null);
    if (once != null) {
      try {
        once.run();
      } catch (Throwable e) { // code of users: whoever closes it must go on
        LOG.log(Level.WARNING, "the release of a block failed", e);
      }
    }
  }
}
