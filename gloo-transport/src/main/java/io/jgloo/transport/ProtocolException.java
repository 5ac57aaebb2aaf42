package io.jgloo.transport;

/** Bytes that no correct peer sends, or that are for another rank. */
public final class ProtocolException extends GlooException {

  private static final long serialVersionUID = 1L;

  public ProtocolException(String message) {
    super(message, null);
  }

  public ProtocolException(String message, Throwable cause) {
    super(message, cause);
  }

  private ProtocolException(String message, ProtocolException original, FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected GlooException copy(String message, FailureContext context) {
    return new ProtocolException(message, this, context);
  }
}
