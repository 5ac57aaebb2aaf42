package io.jgloo.rendezvous.store;

import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import org.jspecify.annotations.Nullable;

/** A store operation failed; the subclasses name the reason. */
public class StoreException extends JGlooException {
  private static final long serialVersionUID = 1L;

  /** A failure that began here. */
  public StoreException(String message) {
    super(message, null);
  }

  /** A failure with the one that led to it ({@code null} if none did). */
  public StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** A copy of a failure with another message. */
  protected StoreException(
      String message, StoreException original, @Nullable FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new StoreException(message, this, context);
  }
}
