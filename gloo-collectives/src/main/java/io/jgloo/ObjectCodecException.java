package io.jgloo;

import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import org.jspecify.annotations.Nullable;

/**
 * An object could not be encoded, is too long, or could not be decoded. The group remains usable.
 */
public final class ObjectCodecException extends JGlooException {

  private static final long serialVersionUID = 1L;

  private final int rank;

  ObjectCodecException(int rank, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.rank = rank;
  }

  private ObjectCodecException(
      String message, ObjectCodecException original, @Nullable FailureContext context) {
    super(message, original, context);
    rank = original.rank;
  }

  /** Rank whose object it is. */
  public int rank() {
    return rank;
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new ObjectCodecException(message, this, context);
  }
}
