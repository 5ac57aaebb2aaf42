package io.jgloo.transport.tcp;

import io.jgloo.transport.ProtocolException;
import java.nio.ByteBuffer;

/**
 * The answer to a {@link Hello}. Big-endian, 32 bytes:
 *
 * <pre>
 *    0  8 bytes  magic, as in the hello
 *    8  i32      verdict, its ordinal
 *   12  i32      size of the answering rank's group
 *   16  i64      window: bytes it is ready to hold without having asked for them
 *   24  i64      epoch of the answering rank's group
 * </pre>
 */
record Welcome(Verdict verdict, int size, long window, long epoch) {

  static final int BYTES = 32;

  /** What becomes of a connection. */
  enum Verdict {
    /** It is wanted. */
    ACCEPTED,
    /** The mesh that is meant is not, or no longer, here. */
    UNKNOWN,
    /** The two sides' groups have different sizes. */
    WRONG_SIZE,
    /** The two sides' groups have different names or epochs. */
    WRONG_GROUP,
    /** The rank that dials or the one that is meant is not what the other side thinks. */
    WRONG_RANK,
    /** The pair is connected and in use. */
    DUPLICATE;

    /** Whether dialling again can help. */
    boolean mayPass() {
      return this == UNKNOWN || this == DUPLICATE;
    }
  }

  byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .putLong(Hello.MAGIC)
        .putInt(verdict.ordinal())
        .putInt(size)
        .putLong(window)
        .putLong(epoch)
        .array();
  }

  /**
   * @throws ProtocolException if the bytes are no welcome of this version
   */
  static Welcome decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (in.getLong() != Hello.MAGIC) {
      throw new ProtocolException("the answer is no welcome");
    }
    int verdict = in.getInt();
    if (verdict < 0 || verdict >= Verdict.values().length) {
      throw new ProtocolException("a welcome has the verdict " + verdict);
    }
    return new Welcome(Verdict.values()[verdict], in.getInt(), in.getLong(), in.getLong());
  }
}
