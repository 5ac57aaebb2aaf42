package io.jgloo.transport.shm;

import io.jgloo.transport.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The answer of a rank to the offer of a segment. Big-endian:
 *
 * <pre>
 *    0  16 bytes  token of the segment, if it is attached
 *   16  i32       length of the reason why it is not, or 0
 *   20            the reason, UTF-8
 * </pre>
 *
 * @param token that stands only in the segment
 * @param reason empty if the segment is attached
 */
public record SegmentAnswer(UUID token, String reason) {

  /** Bytes before the reason. */
  public static final int FIXED_BYTES = 2 * Long.BYTES + Integer.BYTES;

  private static final UUID NO_TOKEN = new UUID(0, 0);
  private static final int MAX_REASON_BYTES = 400;

  /** The segment is attached. */
  public static SegmentAnswer attached(Segment segment) {
    return new SegmentAnswer(segment.token(), "");
  }

  /** The segment is not attached. */
  public static SegmentAnswer declined(String reason) {
    return new SegmentAnswer(NO_TOKEN, reason);
  }

  public byte[] encode() {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(text.length, MAX_REASON_BYTES);
    return ByteBuffer.allocate(FIXED_BYTES + length)
        .putLong(token.getMostSignificantBits())
        .putLong(token.getLeastSignificantBits())
        .putInt(length)
        .put(text, 0, length)
        .array();
  }

  /**
   * Bytes of the whole answer.
   *
   * @param fixed the first {@link #FIXED_BYTES}
   * @throws ProtocolException if they are no answer
   */
  public static int length(byte[] fixed) {
    int length = ByteBuffer.wrap(fixed).getInt(2 * Long.BYTES);
    if (length < 0 || length > MAX_REASON_BYTES) {
      throw new ProtocolException(
          "an answer to an offer of shared memory has " + length + " bytes");
    }
    return FIXED_BYTES + length;
  }

  /** The answer of which all bytes are there. */
  public static SegmentAnswer decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    UUID token = new UUID(in.getLong(), in.getLong());
    int text = bytes.length - FIXED_BYTES;
    return new SegmentAnswer(token, new String(bytes, FIXED_BYTES, text, StandardCharsets.UTF_8));
  }

  /** Whether the peer has attached this segment. */
  public boolean proves(Segment segment) {
    return reason.isEmpty() && segment.token().equals(token);
  }
}
