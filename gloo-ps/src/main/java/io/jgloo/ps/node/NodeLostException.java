package io.jgloo.ps.node;

import io.jgloo.transport.FailureContext;
import io.jgloo.transport.GlooException;

/** A node that a call needs has left, was killed, or could not be reached. */
public final class NodeLostException extends GlooException {

  private static final long serialVersionUID = 1L;

  public NodeLostException(String message, Throwable cause) {
    super(message, cause);
  }

  private NodeLostException(String message, GlooException original, FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected GlooException copy(String message, FailureContext context) {
    return new NodeLostException(message, this, context);
  }
}
