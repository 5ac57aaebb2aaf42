package io.jgloo.ps.kv;

import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import org.jspecify.annotations.Nullable;

/** A call had no result at its deadline; a push may have been applied, in part too. */
public final class CallTimeoutException extends JGlooException {

  private static final long serialVersionUID = 1L;

  public CallTimeoutException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  private CallTimeoutException(
      String message, JGlooException original, @Nullable FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new CallTimeoutException(message, this, context);
  }
}
