package io.jgloo.transport.tcp.wire;

import io.jgloo.transport.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The answer to a {@link Hello}. Big-endian, 48 bytes:
 *
 * <pre>
 *    0  24 bytes magic, version and release; see {@link WireVersion}
 *   24  i32      status, its code
 *   28  i32      size of the answering rank's group
 *   32  i64      window: bytes of unexpected messages it holds for the peer. Status FAILED:
 *                length of the notice that follows; answer to ASK: length of the ranks that
 *                follow; status WRONG_OPTIONS: its {@link PairOptions}
 *   40  i64      epoch of the answering rank's group
 * </pre>
 */
public record Welcome(Status status, int size, long window, long epoch) {

  public static final int BYTES = 48;

  /** The answer to a request for a connection. */
  public enum Status {
    /** It is wanted. */
    ACCEPTED(0),
    /** The process has no such mesh, or no longer. */
    UNKNOWN(1),
    /** The two sides' groups have different sizes. */
    WRONG_SIZE(2),
    /** The two sides' groups have different names or epochs. */
    WRONG_GROUP(3),
    /** The rank that dials, or the target rank, is not the one expected. */
    WRONG_RANK(4),
    /** The pair is connected to a process already. */
    DUPLICATE(5),
    /** The target mesh has not received the addresses of its peers yet. */
    NOT_YET(6),
    /** The target mesh has failed; an {@link AbortNotice} follows. */
    FAILED(7),
    /** The two sides have different {@link PairOptions}. */
    WRONG_OPTIONS(8),
    /** The side that dials has a job secret, the other one has none. */
    NO_SECRET(9),
    /** The side that dials has not proved to have the job secret of the other one. */
    SECRET_NEEDED(10),
    /** The side that dials does not use TLS, the other one does; sent without TLS. */
    TLS_NEEDED(11),
    /** The side that dials uses TLS, the other one does not; sent without TLS. */
    NO_TLS(12),
    /** The certificate of the side that dials names another rank than its hello. */
    WRONG_CERTIFICATE(13),
    /** The two sides have different versions of the wire; only its first 24 bytes can be read. */
    OTHER_VERSION(14);

    private final int code;

    Status(int code) {
      this.code = code;
    }

    /** Whether another attempt may succeed. */
    public boolean mayPass() {
      return this == UNKNOWN || this == DUPLICATE || this == NOT_YET || this == FAILED;
    }

    private static Status of(int code) {
      for (Status status : values()) {
        if (status.code == code) {
          return status;
        }
      }
      throw new ProtocolException("a welcome has the unknown status " + code);
    }
  }

  public byte[] encode() {
    return WireVersion.putInto(ByteBuffer.allocate(BYTES))
        .putInt(status.code)
        .putInt(size)
        .putLong(window)
        .putLong(epoch)
        .array();
  }

  /** The same with what follows it. */
  public byte[] encodeWith(byte[] body) {
    byte[] all = Arrays.copyOf(encode(), BYTES + body.length);
    System.arraycopy(body, 0, all, BYTES, body.length);
    return all;
  }

  /**
   * @throws ProtocolException if the bytes are not a welcome of this version
   */
  public static Welcome decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (in.getLong() != Hello.MAGIC) {
      throw new ProtocolException("the answer is not a welcome");
    }
    in.position(WireVersion.BYTES);
    return new Welcome(Status.of(in.getInt()), in.getInt(), in.getLong(), in.getLong());
  }
}
