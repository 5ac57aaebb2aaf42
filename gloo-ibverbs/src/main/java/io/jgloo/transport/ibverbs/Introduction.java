package io.jgloo.transport.ibverbs;

import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.ibverbs.verbs.Gid;
import java.nio.ByteBuffer;

/**
 * The attributes of a queue pair, which two ranks exchange before they connect it. Big-endian, 64
 * bytes:
 *
 * <pre>
 *    0  8 bytes  "JGVERBS" 1   magic and version
 *    8  i32      queue pair number
 *   12  i32      first packet number, 24 bits
 *   16  16 bytes GID
 *   32  i32      LID
 *   36  i32      code of the packet size
 *   40  i32      link layer
 *   44  i32      receives posted
 *   48  i32      bytes of each
 *   52  i32      reads it serves at a time
 *   56  i64      window: bytes of unexpected messages it holds for the peer
 * </pre>
 */
record Introduction(
    int number,
    int firstPacket,
    Gid gid,
    int lid,
    int mtu,
    int linkLayer,
    int depth,
    int slotBytes,
    int reads,
    long window) {

  static final int BYTES = 64;

  private static final long MAGIC = 0x4a47564552425301L;

  byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .putLong(MAGIC)
        .putInt(number)
        .putInt(firstPacket)
        .putLong(gid.high())
        .putLong(gid.low())
        .putInt(lid)
        .putInt(mtu)
        .putInt(linkLayer)
        .putInt(depth)
        .putInt(slotBytes)
        .putInt(reads)
        .putLong(window)
        .array();
  }

  /**
   * @throws ProtocolException if the bytes are no introduction, or make no sense
   */
  static Introduction decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (in.getLong() != MAGIC) {
      throw new ProtocolException("its introduction has a wrong magic number");
    }
    Introduction decoded =
        new Introduction(
            in.getInt(),
            in.getInt(),
            new Gid(in.getLong(), in.getLong(), Gid.Type.UNKNOWN),
            in.getInt(),
            in.getInt(),
            in.getInt(),
            in.getInt(),
            in.getInt(),
            in.getInt(),
            in.getLong());
    if (decoded.mtu < 1
        || decoded.mtu > 5
        || decoded.depth < 2
        || decoded.slotBytes < Frame.BYTES
        || decoded.window < 0) {
      throw new ProtocolException("its introduction has values out of range: " + decoded);
    }
    return decoded;
  }
}
