package io.jgloo.transport;

/** The waiting thread was interrupted; its interrupt flag stays set. */
public final class InterruptedOperationException extends GlooException {

  private static final long serialVersionUID = 1L;

  public InterruptedOperationException(String message) {
    super(message, null);
  }

  public InterruptedOperationException(String message, Throwable cause) {
    super(message, cause);
  }

  private InterruptedOperationException(
      String message, InterruptedOperationException original, FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected GlooException copy(String message, FailureContext context) {
    return new InterruptedOperationException(message, this, context);
  }
}
