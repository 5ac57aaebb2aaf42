package io.jgloo.transport.tcp;

import io.jgloo.transport.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The answer to a {@link Hello}. Big-endian, 32 bytes:
 *
 * <pre>
 *    0  8 bytes  magic, as in the hello
 *    8  i32      verdict, its code
 *   12  i32      size of the answering rank's group
 *   16  i64      window: bytes it is ready to hold without having asked for them; where the mesh
 *                has failed, length of the notice that follows; to a question, length of
 *                the answer that follows; or its number of connections, if that is what
 *                differs
 *   24  i64      epoch of the answering rank's group
 * </pre>
 */
record Welcome(Status status, int size, long window, long epoch) {

  static final int BYTES = 32;

  /** What becomes of a connection. */
  enum Status {
    /** It is wanted. */
    ACCEPTED(0),
    /** The mesh that is meant is not, or no longer, here. */
    UNKNOWN(1),
    /** The two sides' groups have different sizes. */
    WRONG_SIZE(2),
    /** The two sides' groups have different names or epochs. */
    WRONG_GROUP(3),
    /** The rank that dials or the one that is meant is not what the other side thinks. */
    WRONG_RANK(4),
    /** The pair is connected and in use. */
    DUPLICATE(5),
    /** The mesh that is meant does not know yet where its peers are. */
    NOT_YET(6),
    /** The mesh that is meant has failed; an {@link AbortNotice} follows that says why. */
    FAILED(7),
    /** The two sides do not want the same number of connections; its own is in the window. */
    WRONG_CONNECTIONS(8);

    private final int code;

    Status(int code) {
      this.code = code;
    }

    /** Whether dialling again can help. */
    boolean mayPass() {
      return this == UNKNOWN || this == DUPLICATE || this == NOT_YET || this == FAILED;
    }

    private static Status of(int code) {
      for (Status status : values()) {
        if (status.code == code) {
          return status;
        }
      }
      throw new ProtocolException("a welcome has the verdict " + code);
    }
  }

  byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .putLong(Hello.MAGIC)
        .putInt(status.code)
        .putInt(size)
        .putLong(window)
        .putLong(epoch)
        .array();
  }

  /** The same with what follows it. */
  byte[] encodeWith(byte[] body) {
    byte[] all = Arrays.copyOf(encode(), BYTES + body.length);
    System.arraycopy(body, 0, all, BYTES, body.length);
    return all;
  }

  /**
   * @throws ProtocolException if the bytes are no welcome of this version
   */
  static Welcome decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (in.getLong() != Hello.MAGIC) {
      throw new ProtocolException("the answer is no welcome");
    }
    return new Welcome(Status.of(in.getInt()), in.getInt(), in.getLong(), in.getLong());
  }
}
