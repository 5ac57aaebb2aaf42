package io.jgloo.transport;

import org.jspecify.annotations.Nullable;

/**
 * A window on memory that a mesh may read and write: address, length, and the object that keeps the
 * memory alive.
 *
 * <p>Made by {@link Mesh#newBuffer}; a device that must pin memory does so in {@link #wrap}, so one
 * buffer can be moved from call to call without allocation.
 *
 * <p><i>Threads</i>: one at a time; not to be wrapped again while a posted request uses it.
 * <i>Owns</i>: the registration, not the memory.
 */
public abstract class Buffer implements AutoCloseable {

  private long address;
  private long length;
  private @Nullable Object keepAlive;
  private @Nullable Object array;

  protected Buffer() {}

  /**
   * Moves this window.
   *
   * @param address first byte; may be 0 only if length is 0
   * @param length in bytes
   * @param keepAlive object that must stay reachable while the memory is in use; may be null for
   *     memory that is not freed while the buffer uses it
   * @return this
   * @throws IllegalArgumentException if address or length is negative, or address is 0 with a
   *     positive length
   */
  public Buffer wrap(long address, long length, @Nullable Object keepAlive) {
    if (length < 0) {
      throw new IllegalArgumentException("length must not be negative, but is " + length);
    }
    if (length > 0 && address == 0) {
      throw new IllegalArgumentException("address must not be 0 for " + length + " bytes");
    }
    this.address = address;
    this.length = length;
    this.keepAlive = keepAlive;
    array = null;
    return this;
  }

  /**
   * Moves this window onto part of an array of primitives. Addresses in it are offsets in the
   * array: it can be sent on a pair that {@link Pair#sendsArrays}, and a receive needs a reduction
   * that writes to the array.
   *
   * @param offset of the first byte in the array
   * @param length in bytes, within the array
   * @return this
   */
  public final Buffer wrap(Object array, long offset, long length) {
    address = offset;
    this.length = length;
    keepAlive = null;
    this.array = array;
    return this;
  }

  public final long address() {
    return address;
  }

  /** Length in bytes. */
  public final long length() {
    return length;
  }

  /** The object that keeps the memory alive, or null. */
  public final @Nullable Object keepAlive() {
    return keepAlive;
  }

  /** The array that it is a window on, or null if that is memory with an address. */
  public final @Nullable Object array() {
    return array;
  }

  /** Gives up the registration and the reference to the keep-alive object; may be wrapped again. */
  @Override
  public void close() {
    address = 0;
    length = 0;
    keepAlive = null;
    array = null;
  }
}
