package io.jgloo.transport;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The world's failures: what no caller could have known before.
 *
 * <p>A caller's own mistakes are {@link IllegalArgumentException} and {@link
 * IllegalStateException}, thrown before a byte moves.
 */
public abstract class JGlooException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient @Nullable FailureContext context;

  protected JGlooException(String message, @Nullable Throwable cause) {
    super(message, cause);
    context = cause instanceof JGlooException gloo ? gloo.context : null;
  }

  protected JGlooException(
      String message, JGlooException original, @Nullable FailureContext context) {
    super(message, original);
    this.context = context;
  }

  /** The same kind of failure with its context in the message; the original is its cause. */
  public final JGlooException during(FailureContext context) {
    return copy(context.sentence(String.valueOf(getMessage())), context);
  }

  /** The same kind of failure for a later call that meets it; the original is its cause. */
  public final JGlooException again(String prefix) {
    return copy(prefix + ": " + getMessage(), context);
  }

  /** What was going on when it failed, if a collective was. */
  public final Optional<FailureContext> context() {
    return Optional.ofNullable(context);
  }

  /** An exception of the same class and facts with this message and context, caused by this one. */
  protected abstract JGlooException copy(String message, @Nullable FailureContext context);
}
