package io.jgloo.rendezvous.store;

import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import org.jspecify.annotations.Nullable;

/** The store cannot be reached, or was lost; what was in flight may or may not have been done. */
public final class StoreUnavailableException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** A failure whose message names the store and the reason. */
  public StoreUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  private StoreUnavailableException(
      String message, StoreUnavailableException original, @Nullable FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new StoreUnavailableException(message, this, context);
  }
}
