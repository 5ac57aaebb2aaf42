package io.jgloo.collectives;

/** A function of two floats, the one that java.util.function lacks. */
@FunctionalInterface
public interface FloatBinaryOperator {

  /** The result for two operands. */
  float applyAsFloat(float first, float second);
}
