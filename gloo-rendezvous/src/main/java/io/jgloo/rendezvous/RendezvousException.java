package io.jgloo.rendezvous;

import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import org.jspecify.annotations.Nullable;

/** The ranks of a group cannot be connected; the subclasses name the reason. */
public class RendezvousException extends JGlooException {
  private static final long serialVersionUID = 1L;

  /** A failure with its cause, {@code null} if there is none. */
  public RendezvousException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** A copy of a failure with another message. */
  protected RendezvousException(
      String message, RendezvousException original, @Nullable FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new RendezvousException(message, this, context);
  }
}
