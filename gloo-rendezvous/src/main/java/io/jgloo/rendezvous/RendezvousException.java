package io.jgloo.rendezvous;

import io.jgloo.transport.FailureContext;
import io.jgloo.transport.GlooException;

/** The ranks of a group did not come together; the subclasses say why where that matters. */
public class RendezvousException extends GlooException {
  private static final long serialVersionUID = 1L;

  /** A failure with the one that led to it ({@code null} if none did). */
  public RendezvousException(String message, Throwable cause) {
    super(message, cause);
  }

  /** The same failure told again. */
  protected RendezvousException(
      String message, RendezvousException original, FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected GlooException copy(String message, FailureContext context) {
    return new RendezvousException(message, this, context);
  }
}
