package io.jgloo.transport.shm;

import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.tcp.wire.Hello;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * By which a rank offers a segment to a peer. Big-endian:
 *
 * <pre>
 *    0  u8   1 named, else anonymous; plus 2 with cells
 *    1  i64  inode of the offering process's pid namespace
 *    9  i64  bytes of each ring
 *   17       path, UTF-8
 * </pre>
 */
record SegmentOffer(boolean named, boolean cells, long pidNamespace, long ringBytes, String path) {

  static final int MAX_BYTES = Hello.MAX_OFFER_BYTES;

  private static final int FIXED_BYTES = 17;
  private static final int NAMED = 1;
  private static final int CELLS = 2;

  byte[] encode() {
    byte[] text = path.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(FIXED_BYTES + text.length)
        .put((byte) ((named ? NAMED : 0) | (cells ? CELLS : 0)))
        .putLong(pidNamespace)
        .putLong(ringBytes)
        .put(text)
        .array();
  }

  /**
   * @throws ProtocolException if the bytes are no offer
   */
  static SegmentOffer decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      int kind = in.get();
      long namespace = in.getLong();
      long ringBytes = in.getLong();
      boolean size =
          Long.bitCount(ringBytes) == 1
              && ringBytes >= Segment.MIN_RING_BYTES
              && ringBytes <= Segment.MAX_RING_BYTES;
      if ((kind & ~(NAMED | CELLS)) != 0 || !size) {
        throw new ProtocolException(
            "an offer of shared memory has kind " + kind + " and rings of " + ringBytes + " bytes");
      }
      String path = path(bytes, FIXED_BYTES);
      return new SegmentOffer((kind & NAMED) != 0, (kind & CELLS) != 0, namespace, ringBytes, path);
    } catch (BufferUnderflowException e) {
      throw new ProtocolException("an offer of shared memory has " + bytes.length + " bytes", e);
    }
  }

  /**
   * The path at the end of an offer. Those that a rank offers are of printable ASCII; other bytes
   * may be no path at all, or not the same one in another locale.
   *
   * @throws ProtocolException that quotes the bytes
   */
  static String path(byte[] bytes, int from) {
    StringBuilder quoted = new StringBuilder();
    boolean plain = true;
    for (int i = from; i < bytes.length; i++) {
      boolean printable = bytes[i] >= ' ' && bytes[i] <= '~' && bytes[i] != '\\';
      quoted.append(printable ? "" + (char) bytes[i] : "\\x%02x".formatted(bytes[i]));
      plain &= printable;
    }
    if (!plain) {
      throw new ProtocolException("an offer of shared memory with the path '" + quoted + "'");
    }
    return quoted.toString();
  }
}
