package io.jgloo.transport;

import org.jspecify.annotations.Nullable;

/** The waiting thread was interrupted; its interrupt flag stays set. */
public final class InterruptedOperationException extends JGlooException {

  private static final long serialVersionUID = 1L;

  public InterruptedOperationException(String message) {
    super(message, null);
  }

  public InterruptedOperationException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  private InterruptedOperationException(
      String message, InterruptedOperationException original, @Nullable FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new InterruptedOperationException(message, this, context);
  }
}
