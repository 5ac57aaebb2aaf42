package io.jgloo.transport;

import org.jspecify.annotations.Nullable;

/** Another rank has aborted the mesh and has reported it. */
public final class AbortedException extends JGlooException {

  private static final long serialVersionUID = 1L;

  private final int origin;

  /**
   * @param origin rank that failed its mesh first
   */
  public AbortedException(int origin, String message) {
    this(origin, message, null);
  }

  /**
   * @param origin rank that failed its mesh first
   * @param cause what it met, if it is this rank
   */
  public AbortedException(int origin, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.origin = origin;
  }

  private AbortedException(
      String message, AbortedException original, @Nullable FailureContext context) {
    super(message, original, context);
    origin = original.origin;
  }

  /** Rank that failed its mesh first. */
  public int origin() {
    return origin;
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new AbortedException(message, this, context);
  }
}
