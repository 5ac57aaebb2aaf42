package io.jgloo.rpc.agent;

import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import org.jspecify.annotations.Nullable;

/** The request may have been executed or may still be: its result was lost, late, or given up. */
public final class OutcomeUnknownException extends JGlooException {

  private static final long serialVersionUID = 1L;

  public OutcomeUnknownException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  private OutcomeUnknownException(
      String message, JGlooException original, @Nullable FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new OutcomeUnknownException(message, this, context);
  }
}
