package io.jgloo.collectives;

/** Which operand comes first when two are reduced; visible to functions that do not commute. */
public enum Order {
  /** {@code target = f(target, source)}. */
  TARGET_FIRST,
  /** {@code target = f(source, target)}. */
  SOURCE_FIRST;

  /** The order in which the same two operands stand when target and source change places. */
  public Order flipped() {
    return this == TARGET_FIRST ? SOURCE_FIRST : TARGET_FIRST;
  }
}
