package io.jgloo.ps.kv;

import io.jgloo.transport.FailureContext;
import io.jgloo.transport.GlooException;

/** A call had no result at its deadline; a push may have been applied, in part too. */
public final class CallTimeoutException extends GlooException {

  private static final long serialVersionUID = 1L;

  public CallTimeoutException(String message, Throwable cause) {
    super(message, cause);
  }

  private CallTimeoutException(String message, GlooException original, FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected GlooException copy(String message, FailureContext context) {
    return new CallTimeoutException(message, this, context);
  }
}
