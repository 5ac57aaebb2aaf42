package io.jgloo.rendezvous;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Two ranks with different sizes, published in the store by the rank that finds them: for each of
 * the two ranks, rank (i32), size (i32) and nonce (16 bytes), big-endian.
 */
record SizeConflict(int rank, int size, UUID nonce, int otherRank, int otherSize, UUID otherNonce) {
  private static final int BYTES = 48;

  static SizeConflict between(RankRecord one, RankRecord other) {
    return new SizeConflict(
        one.rank(), one.size(), one.nonce(), other.rank(), other.size(), other.nonce());
  }

  byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(BYTES).putInt(rank).putInt(size);
    out.putLong(nonce.getMostSignificantBits()).putLong(nonce.getLeastSignificantBits());
    out.putInt(otherRank).putInt(otherSize);
    out.putLong(otherNonce.getMostSignificantBits()).putLong(otherNonce.getLeastSignificantBits());
    return out.array();
  }

  /** Decodes a conflict; {@code null} if the bytes are invalid. */
  static @Nullable SizeConflict decode(byte[] encoded) {
    ByteBuffer in = ByteBuffer.wrap(encoded);
    try {
      SizeConflict conflict =
          new SizeConflict(
              in.getInt(),
              in.getInt(),
              new UUID(in.getLong(), in.getLong()),
              in.getInt(),
              in.getInt(),
              new UUID(in.getLong(), in.getLong()));
      return conflict.rank < 0 || conflict.otherRank < 0 ? null : conflict;
    } catch (BufferUnderflowException e) {
      return null;
    }
  }

  boolean names(UUID incarnation) {
    return nonce.equals(incarnation) || otherNonce.equals(incarnation);
  }

  WorldSizeMismatchException toException(int ownSize) {
    String message =
        String.format(
            "sizes differ: rank %d has size %d, rank %d has size %d",
            rank, size, otherRank, otherSize);
    return otherSize == ownSize
        ? new WorldSizeMismatchException(message, otherSize, size)
        : new WorldSizeMismatchException(message, size, otherSize);
  }
}
