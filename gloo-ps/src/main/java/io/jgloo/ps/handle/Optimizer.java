package io.jgloo.ps.handle;

import java.util.Objects;

/**
 * A rule with its name and the number of its own numbers for each value; for {@link
 * Handles#optimizer}. The names and formulas are those of the usual libraries.
 *
 * @param name in snapshots, which other rules refuse
 * @param kept numbers that the rule keeps for each value
 * @param rule takes a step
 */
public record Optimizer(String name, int kept, Rule rule) {

  private static final double EPSILON = 1e-10;

  /**
   * @throws IllegalArgumentException if kept is negative
   */
  public Optimizer {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(rule, "rule");
    if (kept < 0) {
      throw new IllegalArgumentException("kept must not be negative, is " + kept);
    }
  }

  /** Gradient descent. */
  public static Optimizer sgd(double rate) {
    return new Optimizer("sgd", 0, (value, gradient, state) -> value - rate * gradient);
  }

  /** Gradient descent with momentum: v = m v + g, w = w - r v. */
  public static Optimizer momentum(double rate, double momentum) {
    return new Optimizer(
        "momentum",
        1,
        (value, gradient, state) -> {
          double velocity = momentum * state.get(0) + gradient;
          state.set(0, velocity);
          return value - rate * velocity;
        });
  }

  /** Adagrad: the rate is divided by the root of the sum of the squares of the gradients. */
  public static Optimizer adagrad(double rate) {
    return new Optimizer(
        "adagrad",
        1,
        (value, gradient, state) -> {
          double squares = state.get(0) + gradient * gradient;
          state.set(0, squares);
          return value - rate * gradient / (Math.sqrt(squares) + EPSILON);
        });
  }

  /** Adam, its bias corrected by the number of steps of each value. */
  public static Optimizer adam(double rate, double beta1, double beta2, double epsilon) {
    return new Optimizer(
        "adam",
        3,
        (value, gradient, state) -> {
          double first = beta1 * state.get(0) + (1 - beta1) * gradient;
          double second = beta2 * state.get(1) + (1 - beta2) * gradient * gradient;
          double steps = state.get(2) + 1;
          state.set(0, first);
          state.set(1, second);
          state.set(2, steps);
          double mean = first / (1 - Math.pow(beta1, steps));
          double square = second / (1 - Math.pow(beta2, steps));
          return value - rate * mean / (Math.sqrt(square) + epsilon);
        });
  }

  /** FTRL-Proximal (McMahan and others, 2013), with L1 and L2 regularization. */
  public static Optimizer ftrl(double alpha, double beta, double l1, double l2) {
    return new Optimizer(
        "ftrl",
        2,
        (value, gradient, state) -> {
          double squares = state.get(1) + gradient * gradient;
          double sigma = (Math.sqrt(squares) - Math.sqrt(state.get(1))) / alpha;
          double z = state.get(0) + gradient - sigma * value;
          state.set(0, z);
          state.set(1, squares);
          double rest = Math.abs(z) - l1;
          return rest <= 0
              ? 0
              : -Math.signum(z) * rest / ((beta + Math.sqrt(squares)) / alpha + l2);
        });
  }
}
