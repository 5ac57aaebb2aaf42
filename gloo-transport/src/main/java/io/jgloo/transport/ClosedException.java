package io.jgloo.transport;

/** The mesh, group, device or store was closed, here, before or while it was needed. */
public final class ClosedException extends GlooException {

  private static final long serialVersionUID = 1L;

  public ClosedException(String message) {
    super(message, null);
  }

  public ClosedException(String message, Throwable cause) {
    super(message, cause);
  }

  private ClosedException(String message, ClosedException original, FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected GlooException copy(String message, FailureContext context) {
    return new ClosedException(message, this, context);
  }
}
