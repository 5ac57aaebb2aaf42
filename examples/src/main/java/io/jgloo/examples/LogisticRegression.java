package io.jgloo.examples;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.examples.LibsvmFile.Row;
import io.jgloo.gradient.GradientReducer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Logistic regression by gradient descent; the rows are divided among the ranks.
 *
 * <p>Every rank has all weights and some of the rows: row i belongs to rank (i mod size). In a step
 * each rank sums the gradient over its rows, the sums are summed over all ranks, and every rank
 * takes the same step from the same bits. So the weights are equal at all ranks, to the bit. That
 * requires an allreduce with the same bits at all ranks, as the library's has, and arithmetic that
 * is the same on every machine: hence {@link StrictMath}, not {@link Math}.
 *
 * <p>With another number of ranks the rows are summed in another order. Each of n additions rounds
 * by at most 2^-53 of a sum whose terms are at most 1 in size times the largest value, so losses
 * differ by the order of n 2^-53, relatively: 10^-12 for some thousand rows.
 *
 * <p><em>Threads</em>: one.
 */
final class LogisticRegression {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ProcessGroup group;
  private final List<Row> rows;
  private final double rate;
  private final double[] weights;
  private final double[] slope; // the gradient for the weights
  private final double[] offsetAndLoss = new double[2]; // the gradient for the bias, and the loss
  private final GradientReducer reducer;
  private final int weightsReady;
  private final int offsetReady;
  private double bias;

  /**
   * @param rows all of them, the same at all ranks
   * @param rate factor of the mean gradient in a step
   */
  LogisticRegression(ProcessGroup group, List<Row> rows, int features, double rate) {
    this.group = group;
    this.rows = rows;
    this.rate = rate;
    weights = new double[features];
    slope = new double[features];
    GradientReducer.Builder builder = GradientReducer.over(group).op(ReduceOp.SUM);
    weightsReady = builder.register("weights", Payload.of(slope));
    offsetReady = builder.register("bias and loss", Payload.of(offsetAndLoss));
    reducer = builder.build();
  }

  /** Takes a step, and returns the mean loss before it. */
  double step() {
    Arrays.fill(slope, 0);
    Arrays.fill(offsetAndLoss, 0);
    for (int i = group.rank(); i < rows.size(); i += group.size()) {
      Row row = rows.get(i);
      double margin = (row.isYes() ? 1 : -1) * (row.dot(weights) + bias);
      double pull = (row.isYes() ? -1 : 1) / (1 + StrictMath.exp(margin));
      row.addTo(slope, pull);
      offsetAndLoss[0] += pull;
      offsetAndLoss[1] += StrictMath.log1p(StrictMath.exp(-margin));
    }
    reducer.ready(offsetReady);
    reducer.ready(weightsReady);
    reducer.finish(PATIENCE);
    for (int i = 0; i < weights.length; i++) {
      weights[i] -= rate * slope[i] / rows.size();
    }
    bias -= rate * offsetAndLoss[0] / rows.size();
    return offsetAndLoss[1] / rows.size();
  }

  /** The weights and, last, the bias. */
  double[] model() {
    double[] model = Arrays.copyOf(weights, weights.length + 1);
    model[weights.length] = bias;
    return model;
  }

  /** Goes on from a model that {@link #model()} has returned. */
  void resume(double[] model) {
    System.arraycopy(model, 0, weights, 0, weights.length);
    bias = model[weights.length];
  }

  /** The share of the rows that the model classifies correctly. */
  double accuracy() {
    long right = rows.stream().filter(row -> row.dot(weights) + bias > 0 == row.isYes()).count();
    return (double) right / rows.size();
  }
}
