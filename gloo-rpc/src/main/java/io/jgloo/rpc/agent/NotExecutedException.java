package io.jgloo.rpc.agent;

import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import org.jspecify.annotations.Nullable;

/** The request was not executed and will not be: it never reached the body that it asked for. */
public final class NotExecutedException extends JGlooException {

  private static final long serialVersionUID = 1L;

  public NotExecutedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  private NotExecutedException(
      String message, JGlooException original, @Nullable FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new NotExecutedException(message, this, context);
  }
}
