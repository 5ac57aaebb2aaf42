package io.jgloo.rendezvous;

import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import org.jspecify.annotations.Nullable;

/** Ranks of one group were given different sizes. */
public final class WorldSizeMismatchException extends RendezvousException {
  private static final long serialVersionUID = 1L;

  private final int size;
  private final int otherSize;

  WorldSizeMismatchException(String message, int size, int otherSize) {
    super(message, null);
    this.size = size;
    this.otherSize = otherSize;
  }

  private WorldSizeMismatchException(
      String message, WorldSizeMismatchException original, @Nullable FailureContext context) {
    super(message, original, context);
    size = original.size;
    otherSize = original.otherSize;
  }

  /** One of the two sizes; this rank's own if it is one of them. */
  public int size() {
    return size;
  }

  /** The other one. */
  public int otherSize() {
    return otherSize;
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new WorldSizeMismatchException(message, this, context);
  }
}
