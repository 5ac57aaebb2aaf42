package io.jgloo.collectives.verify;

/** Says why a set of schedules does not do what its collective promises. */
public final class BrokenScheduleException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The message names shape, rank and operation as far as they are known. */
  public BrokenScheduleException(String message) {
    super(message);
  }
}
