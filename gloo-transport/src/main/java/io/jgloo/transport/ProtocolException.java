package io.jgloo.transport;

import org.jspecify.annotations.Nullable;

/** Bytes that no correct peer sends, or that are for another rank. */
public final class ProtocolException extends JGlooException {

  private static final long serialVersionUID = 1L;

  public ProtocolException(String message) {
    super(message, null);
  }

  public ProtocolException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  private ProtocolException(
      String message, ProtocolException original, @Nullable FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new ProtocolException(message, this, context);
  }
}
