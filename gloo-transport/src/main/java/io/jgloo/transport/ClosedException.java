package io.jgloo.transport;

import org.jspecify.annotations.Nullable;

/** The mesh, group, device or store was closed, here, before or while it was needed. */
public final class ClosedException extends JGlooException {

  private static final long serialVersionUID = 1L;

  public ClosedException(String message) {
    super(message, null);
  }

  public ClosedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  private ClosedException(
      String message, ClosedException original, @Nullable FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new ClosedException(message, this, context);
  }
}
