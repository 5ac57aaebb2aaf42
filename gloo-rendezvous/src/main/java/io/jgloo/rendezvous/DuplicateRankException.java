package io.jgloo.rendezvous;

import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import org.jspecify.annotations.Nullable;

/** Two living processes were given the same rank of the same group. */
public final class DuplicateRankException extends RendezvousException {
  private static final long serialVersionUID = 1L;

  private final int rank;

  DuplicateRankException(int rank, String message) {
    super(message, null);
    this.rank = rank;
  }

  private DuplicateRankException(
      String message, DuplicateRankException original, @Nullable FailureContext context) {
    super(message, original, context);
    rank = original.rank;
  }

  /** The rank that both processes claim. */
  public int rank() {
    return rank;
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new DuplicateRankException(message, this, context);
  }
}
