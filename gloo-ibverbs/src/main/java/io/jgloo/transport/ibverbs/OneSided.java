package io.jgloo.transport.ibverbs;

import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Request;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Access of a {@link io.jgloo.transport.Mesh} to the memory of other ranks, if its device reaches
 * the memory of other ranks: {@code mesh instanceof OneSided}.
 *
 * <p>The peer takes no part: it is not notified of a put or get. Ranks synchronize by messages.
 *
 * <p><i>Threads</i>: any.
 */
@NullMarked
public interface OneSided {

  /**
   * What lets a peer reach registered memory of another rank. Encoded big-endian, 28 bytes:
   *
   * <pre>
   *    0  i32  0x4a474b01   magic and version
   *    4  i32  rank
   *    8  i64  address
   *   16  i64  length
   *   24  u32  key
   * </pre>
   *
   * @param rank that has the memory
   * @param address of its first byte, there
   * @param length in bytes
   * @param key of the device
   */
  @NullMarked
  record RemoteKey(int rank, long address, long length, int key) {

    public static final int ENCODED_BYTES = 28;

    private static final int MAGIC = 0x4a474b01;

    /**
     * @throws IllegalArgumentException if rank or length is negative
     */
    public RemoteKey {
      if (rank < 0 || length < 0) {
        throw new IllegalArgumentException(
            "rank and length must not be negative, but are " + rank + " and " + length);
      }
    }

    /** The form that {@link #decode} reads. */
    public byte[] encode() {
      return ByteBuffer.allocate(ENCODED_BYTES)
          .putInt(MAGIC)
          .putInt(rank)
          .putLong(address)
          .putLong(length)
          .putInt(key)
          .array();
    }

    /**
     * @throws ProtocolException if the bytes are not one encoded key
     */
    public static RemoteKey decode(byte[] encoded) {
      try {
        ByteBuffer in = ByteBuffer.wrap(encoded);
        if (encoded.length != ENCODED_BYTES || in.getInt() != MAGIC) {
          throw new ProtocolException("not a remote key: " + encoded.length + " bytes");
        }
        return new RemoteKey(in.getInt(), in.getLong(), in.getLong(), in.getInt());
      } catch (BufferUnderflowException | IllegalArgumentException e) {
        throw new ProtocolException("a remote key is malformed: " + e.getMessage(), e);
      }
    }
  }

  /**
   * Memory made known to a mesh's device, until closed: messages from and into it are moved without
   * a copy, and peers that have its key may read and write it.
   *
   * <p><i>Threads</i>: any. <i>Owns</i>: the registration, not the memory.
   */
  @NullMarked
  interface Registration extends AutoCloseable {

    long address();

    /** Length in bytes. */
    long length();

    /** The object that keeps the memory alive, or null. */
    @Nullable Object keepAlive();

    /** What a peer needs to reach this memory; to be brought to it by any way there is. */
    RemoteKey remoteKey();

    /**
     * Gives the memory back; no posted request and no peer may use it any more. May be called
     * often, and is done by the mesh when that is closed.
     */
    @Override
    void close();
  }

  /**
   * Makes memory known to the device.
   *
   * @param keepAlive object that must stay reachable while the memory is registered, or null
   * @throws IllegalArgumentException if the range is empty or begins where another does
   * @throws io.jgloo.transport.UnavailableException if that much memory may not be pinned; names
   *     need and limit
   * @throws io.jgloo.transport.ClosedException if the mesh is closed
   */
  Registration register(long address, long length, @Nullable Object keepAlive);

  /**
   * Writes the request's bytes to a peer's memory; completes when they are there. The request's
   * slot, fingerprint and reduction have no meaning.
   *
   * @param remoteOffset first byte to write, within the key's range
   * @throws IllegalArgumentException if the key is this rank's, or its range does not hold the
   *     bytes
   * @throws IllegalStateException as {@link io.jgloo.transport.Pair#send}
   */
  void put(Request request, RemoteKey key, long remoteOffset);

  /** Reads bytes of a peer's memory into the request's; else as {@link #put}. */
  void get(Request request, RemoteKey key, long remoteOffset);
}
