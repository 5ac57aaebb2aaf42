package io.jgloo.collectives;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes time of a {@link Cost}: {@code alpha * steps + beta * pathBytes + gamma * reducedBytes},
 * where steps and bytes that stay inside a host have an alpha and a beta of their own, and steps
 * that wait for their turn only take {@code gap}. Steps and bytes that overlap take the greater of
 * the two times, not their sum.
 *
 * <p>The model of Hockney (1994) with a term for reductions, as Thakur and others use it, and the
 * gap of LogP (Culler and others, 1993). It ranks algorithms; it is not meant to foretell
 * microseconds.
 *
 * @param alpha seconds from the start of a message to what depends on it, for a message of no bytes
 *     between two hosts
 * @param beta seconds per byte on the link of a host, while the other direction is as busy
 * @param gamma seconds per byte of target to reduce
 * @param localAlpha as alpha, between two ranks of one host
 * @param localBeta seconds per byte between two ranks of one host
 * @param gap seconds that a rank takes to send or receive one more message of no bytes between
 *     hosts, where it need not wait for another one first
 */
public record CostModel(
    double alpha, double beta, double gamma, double localAlpha, double localBeta, double gap) {
  /** What a system call takes that sends, and one that receives. */
  private static final double USUAL_GAP = 2e-6;

  /**
   * TCP over loopback, spinning, on a small machine of 2026: 5 us from a small send to its receipt,
   * 4 GB/s each way when both ways are busy, 20 GB/s for reductions that miss the cache.
   */
  public static final CostModel LOOPBACK_TCP = new CostModel(5e-6, 1 / 4e9, 1 / 20e9);

  /**
   * Loopback inside a host, and between hosts a link of 10 Gbit/s: 16 us to receipt, 1.25 GB/s each
   * way. What groups choose by if they are given no costs.
   */
  public static final CostModel DEFAULT =
      new CostModel(16e-6, 1 / 1.25e9, LOOPBACK_TCP.gamma, LOOPBACK_TCP.alpha, LOOPBACK_TCP.beta);

  private static final Pattern FORM =
      Pattern.compile(
          "alpha=([^:]+):beta=([^:]+):gamma=([^:]+)"
              + "(?::localAlpha=([^:]+):localBeta=([^:]+))?(?::gap=([^:]+))?");

  /** Refuses times below zero. */
  public CostModel {
    if (!(alpha >= 0 && beta >= 0 && gamma >= 0)
        || !(localAlpha >= 0 && localBeta >= 0 && gap >= 0)) {
      throw new IllegalArgumentException(
          ("alpha = " + alpha + ", beta = " + beta + ", gamma = " + gamma)
              + (", localAlpha = " + localAlpha + ", localBeta = " + localBeta + ", gap = " + gap));
    }
  }

  /** The same costs inside a host and between hosts. */
  public CostModel(double alpha, double beta, double gamma) {
    this(alpha, beta, gamma, alpha, beta);
  }

  /** With a gap of 2 us, or alpha if that is less. */
  public CostModel(double alpha, double beta, double gamma, double localAlpha, double localBeta) {
    this(alpha, beta, gamma, localAlpha, localBeta, usualGap(alpha));
  }

  private static double usualGap(double alpha) {
    return Math.min(USUAL_GAP, alpha);
  }

  /**
   * A model as {@link #toString} writes it and {@code gloo-bench/run calibrate} finds it: {@code
   * alpha=5.0E-6:beta=2.5E-10:gamma=5.0E-11}, then {@code :localAlpha=...:localBeta=...} if the
   * costs inside a host are others, and {@code :gap=...} if it is not the usual one.
   *
   * @throws IllegalArgumentException if it is of another form
   */
  public static CostModel parse(String text) {
    Matcher found = FORM.matcher(text);
    if (!found.matches()) {
      throw new IllegalArgumentException(
          "costs must be as in " + LOOPBACK_TCP + " or " + DEFAULT + ", but are '" + text + "'");
    }
    boolean tiers = found.group(4) != null;
    try {
      double alpha = Double.parseDouble(found.group(1));
      double localAlpha = Double.parseDouble(found.group(tiers ? 4 : 1));
      String gap = found.group(6);
      return new CostModel(
          alpha,
          Double.parseDouble(found.group(2)),
          Double.parseDouble(found.group(3)),
          localAlpha,
          Double.parseDouble(found.group(tiers ? 5 : 2)),
          gap == null ? usualGap(alpha) : Double.parseDouble(gap));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("costs '" + text + "' are no numbers", e);
    }
  }

  /** For {@link #parse}, which gives an equal model. */
  @Override
  public String toString() {
    String remote = "alpha=" + alpha + ":beta=" + beta + ":gamma=" + gamma;
    boolean tiers = alpha != localAlpha || beta != localBeta;
    String local = tiers ? ":localAlpha=" + localAlpha + ":localBeta=" + localBeta : "";
    return remote + local + (gap == usualGap(alpha) ? "" : ":gap=" + gap);
  }

  /** Predicted duration in seconds, with what the cost says stays inside a host. */
  public double seconds(Cost cost) {
    return alpha * (cost.steps() - cost.localSteps() - cost.queued())
        + beta * (cost.pathBytes() - cost.localPathBytes())
        + localAlpha * cost.localSteps()
        + localBeta * cost.localPathBytes()
        + gap * cost.queued()
        + gamma * cost.reducedBytes()
        - Math.min(alpha * cost.overlappedSteps(), beta * cost.overlappedBytes());
  }
}
