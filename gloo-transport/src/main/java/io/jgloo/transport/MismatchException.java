package io.jgloo.transport;

import org.jspecify.annotations.Nullable;

/**
 * Two ranks disagree about the call they are in: its kind, count, type, op, root or length.
 *
 * <p>The fingerprints are what {@link Request#fingerprint} was given on each side; the code that
 * made them can describe the difference.
 */
public final class MismatchException extends JGlooException {

  private static final long serialVersionUID = 1L;

  /**
   * One side of the mismatch.
   *
   * @param rank of this side
   * @param slot of the message
   * @param length in bytes
   */
  public record Side(int rank, long slot, long length, long fingerprintHigh, long fingerprintLow) {}

  private final transient Side first;
  private final transient Side second;

  public MismatchException(String message, Side first, Side second) {
    super(message, null);
    this.first = first;
    this.second = second;
  }

  private MismatchException(
      String message, MismatchException original, @Nullable FailureContext context) {
    super(message, original, context);
    first = original.first;
    second = original.second;
  }

  /** The side that noticed. */
  public Side first() {
    return first;
  }

  /** The side that sent. */
  public Side second() {
    return second;
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new MismatchException(message, this, context);
  }
}
