package io.jgloo.rpc.message;

import io.jgloo.transport.FailureContext;
import io.jgloo.transport.GlooException;
import org.jspecify.annotations.Nullable;

/** The request was not executed and will not be: it never reached the body that it asked for. */
public final class NotExecutedException extends GlooException {

  private static final long serialVersionUID = 1L;

  public NotExecutedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  private NotExecutedException(
      String message, GlooException original, @Nullable FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected GlooException copy(String message, @Nullable FailureContext context) {
    return new NotExecutedException(message, this, context);
  }
}
