package io.jgloo.collectives;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes time of a {@link Cost}: {@code alpha * steps + beta * pathBytes + gamma * reducedBytes}.
 *
 * <p>The model of Hockney (1994) with a term for reductions, as Thakur and others use it. It ranks
 * algorithms; it is not meant to foretell microseconds.
 *
 * @param alpha seconds from the start of a message to what depends on it, for a message of no bytes
 * @param beta seconds per byte on the wire, while the other direction is as busy
 * @param gamma seconds per byte of target to reduce
 */
public record CostModel(double alpha, double beta, double gamma) {
  /**
   * TCP over loopback, spinning, on a small machine of 2026: 5 us from a small send to its receipt,
   * 4 GB/s each way when both ways are busy, 20 GB/s for reductions that miss the cache.
   */
  public static final CostModel LOOPBACK_TCP = new CostModel(5e-6, 1 / 4e9, 1 / 20e9);

  private static final Pattern FORM = Pattern.compile("alpha=(.+):beta=(.+):gamma=(.+)");

  /** Refuses times below zero. */
  public CostModel {
    if (!(alpha >= 0 && beta >= 0 && gamma >= 0)) {
      throw new IllegalArgumentException(
          "alpha = " + alpha + ", beta = " + beta + ", gamma = " + gamma);
    }
  }

  /**
   * A model as {@link #toString} writes it and {@code gloo-bench/run calibrate} finds it: {@code
   * alpha=5.0E-6:beta=2.5E-10:gamma=5.0E-11}.
   *
   * @throws IllegalArgumentException if it is of another form
   */
  public static CostModel parse(String text) {
    Matcher found = FORM.matcher(text);
    if (!found.matches()) {
      throw new IllegalArgumentException(
          "costs must be as in " + LOOPBACK_TCP + ", but are '" + text + "'");
    }
    try {
      return new CostModel(
          Double.parseDouble(found.group(1)),
          Double.parseDouble(found.group(2)),
          Double.parseDouble(found.group(3)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("costs '" + text + "' are no numbers", e);
    }
  }

  /** For {@link #parse}, which gives an equal model. */
  @Override
  public String toString() {
    return "alpha=" + alpha + ":beta=" + beta + ":gamma=" + gamma;
  }

  /** Predicted duration in seconds. */
  public double seconds(Cost cost) {
    return alpha * cost.steps() + beta * cost.pathBytes() + gamma * cost.reducedBytes();
  }
}
