package io.jgloo.transport.ibverbs;

import io.jgloo.transport.ProtocolException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.NullMarked;

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
public record RemoteKey(int rank, long address, long length, int key) {

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
