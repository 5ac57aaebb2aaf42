package io.jgloo.ps.node;

import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import org.jspecify.annotations.Nullable;

/** More or fewer nodes take part than were declared, or they declare different numbers. */
public final class NodeCountException extends JGlooException {

  private static final long serialVersionUID = 1L;

  public NodeCountException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  private NodeCountException(
      String message, JGlooException original, @Nullable FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new NodeCountException(message, this, context);
  }
}
