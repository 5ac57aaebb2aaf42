package io.jgloo.rpc;

import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import org.jspecify.annotations.Nullable;

/** So many bodies wait for calls of their own that no thread may be added. */
public final class PoolExhaustedException extends JGlooException {

  private static final long serialVersionUID = 1L;

  PoolExhaustedException(String message) {
    super(message, null);
  }

  private PoolExhaustedException(
      String message, PoolExhaustedException original, @Nullable FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new PoolExhaustedException(message, this, context);
  }
}
