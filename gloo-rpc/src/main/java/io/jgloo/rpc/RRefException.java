package io.jgloo.rpc;

import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import org.jspecify.annotations.Nullable;

/** A remote reference cannot be used. */
public final class RRefException extends JGlooException {

  private static final long serialVersionUID = 1L;

  /** Why it cannot. */
  public enum Reason {
    /** The call that should have made the value did not arrive, was refused, or came too late. */
    CREATION_FAILED,
    /** The handle was taken back before it arrived. */
    DELETED,
    /** The owner has ended, or has taken this agent for lost. */
    OWNER_LOST,
    /** The handle was closed meanwhile. */
    CLOSED
  }

  private final Reason reason;

  RRefException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  private RRefException(String message, RRefException original, @Nullable FailureContext context) {
    super(message, original, context);
    reason = original.reason;
  }

  /** Why it cannot be used. */
  public Reason reason() {
    return reason;
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new RRefException(message, this, context);
  }
}
