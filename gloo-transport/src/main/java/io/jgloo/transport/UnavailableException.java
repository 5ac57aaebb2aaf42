package io.jgloo.transport;

import org.jspecify.annotations.Nullable;

/** The machine lacks what a device needs, or does not permit it. */
public final class UnavailableException extends JGlooException {

  private static final long serialVersionUID = 1L;

  public UnavailableException(String message) {
    super(message, null);
  }

  public UnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  private UnavailableException(
      String message, UnavailableException original, @Nullable FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new UnavailableException(message, this, context);
  }
}
