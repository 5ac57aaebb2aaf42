package io.jgloo.ps.node;

import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import org.jspecify.annotations.Nullable;

/** A node that a call needs has left, was killed, or could not be reached. */
public final class NodeLostException extends JGlooException {

  private static final long serialVersionUID = 1L;

  public NodeLostException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  private NodeLostException(
      String message, JGlooException original, @Nullable FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new NodeLostException(message, this, context);
  }
}
