package io.jgloo.rpc.rref.protocol;

/** An invariant of the protocol does not hold. */
final class InvariantBrokenError extends AssertionError {

  private static final long serialVersionUID = 1L;

  private final String invariant;

  InvariantBrokenError(String invariant, String what) {
    super(invariant + ": " + what);
    this.invariant = invariant;
  }

  String invariant() {
    return invariant;
  }
}
