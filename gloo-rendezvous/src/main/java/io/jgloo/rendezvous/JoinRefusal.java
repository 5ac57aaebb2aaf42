package io.jgloo.rendezvous;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Two ranks that can never connect, as one has told the others: for each of the two its rank (i32)
 * and the nonce of its record (16 bytes), and the reason (to the end, UTF-8), all big-endian.
 */
record JoinRefusal(int rank, UUID nonce, int otherRank, UUID otherNonce, String reason) {
  private static final int FIXED_BYTES = 40;

  static JoinRefusal between(RankRecord one, RankRecord other, String reason) {
    return new JoinRefusal(one.rank(), one.nonce(), other.rank(), other.nonce(), reason);
  }

  byte[] encode() {
    byte[] text = reason.getBytes(UTF_8);
    ByteBuffer out = ByteBuffer.allocate(FIXED_BYTES + text.length);
    out.putInt(rank).putLong(nonce.getMostSignificantBits());
    out.putLong(nonce.getLeastSignificantBits()).putInt(otherRank);
    out.putLong(otherNonce.getMostSignificantBits()).putLong(otherNonce.getLeastSignificantBits());
    return out.put(text).array();
  }

  /** Decodes a refusal; {@code null} if the bytes are invalid. */
  static @Nullable JoinRefusal decode(byte[] encoded) {
    ByteBuffer in = ByteBuffer.wrap(encoded);
    try {
      int rank = in.getInt();
      UUID nonce = new UUID(in.getLong(), in.getLong());
      int otherRank = in.getInt();
      UUID otherNonce = new UUID(in.getLong(), in.getLong());
      String reason = new String(encoded, in.position(), in.remaining(), UTF_8);
      return new JoinRefusal(rank, nonce, otherRank, otherNonce, reason);
    } catch (BufferUnderflowException e) {
      return null;
    }
  }

  /** Whether one of the two is this record. */
  boolean names(RankRecord record) {
    return nonce.equals(record.nonce()) || otherNonce.equals(record.nonce());
  }

  RendezvousException toException(RankRecord own) {
    return new RendezvousException(
        String.format(
            "%s cannot join: rank %d cannot connect to rank %d: %s", own, rank, otherRank, reason),
        null);
  }
}
