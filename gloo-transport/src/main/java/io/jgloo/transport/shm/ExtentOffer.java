package io.jgloo.transport.shm;

import io.jgloo.transport.ProtocolException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * By which a rank offers an extent to a peer. Big-endian:
 *
 * <pre>
 *    0  u8        0 anonymous, 1 named
 *    1  i64       inode of the offering process's pid namespace
 *    9  i64       bytes of the extent without its header
 *   17  16 bytes  token, which stands in the header too
 *   33            path, UTF-8
 * </pre>
 */
record ExtentOffer(boolean named, long pidNamespace, long bytes, UUID token, String path) {

  static final int MAX_BYTES = 512;

  private static final int FIXED_BYTES = 33;

  byte[] encode() {
    byte[] text = path.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(FIXED_BYTES + text.length)
        .put((byte) (named ? 1 : 0))
        .putLong(pidNamespace)
        .putLong(bytes)
        .putLong(token.getMostSignificantBits())
        .putLong(token.getLeastSignificantBits())
        .put(text)
        .array();
  }

  /**
   * @throws ProtocolException if the bytes are no offer
   */
  static ExtentOffer decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      int kind = in.get();
      long namespace = in.getLong();
      long length = in.getLong();
      UUID token = new UUID(in.getLong(), in.getLong());
      if ((kind != 0 && kind != 1) || length < 1 || length > Extent.MAX_BYTES) {
        throw new ProtocolException(
            "an offer of an extent has kind " + kind + " and " + length + " bytes");
      }
      String path = SegmentOffer.path(bytes, FIXED_BYTES);
      return new ExtentOffer(kind == 1, namespace, length, token, path);
    } catch (BufferUnderflowException e) {
      throw new ProtocolException("an offer of an extent has " + bytes.length + " bytes", e);
    }
  }
}
