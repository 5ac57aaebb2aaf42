package io.jgloo.examples;

import io.jgloo.rpc.codec.Codec;
import io.jgloo.rpc.codec.Codecs;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The model at the agent that holds it: sums the gradients of all trainers, then takes a step.
 *
 * <p>The sums are added in the order of the trainers, so the bits do not depend on who is fast.
 *
 * <p><em>Threads</em>: any.
 */
final class HeldModel {

  /** A model travels as a copy of its weights, the bias last. */
  static final Codec<HeldModel> CODEC =
      Codecs.of(
          "model",
          (model, out) -> Codecs.DOUBLES.write(model.weights(), out),
          in -> new HeldModel(Codecs.DOUBLES.read(in)));

  private final double[] weights;
  private List<List<Double>> sums;
  private int missing;
  private long steps;

  HeldModel(double[] weights) {
    this.weights = weights;
  }

  /** A copy of the weights, the bias last. */
  synchronized double[] weights() {
    return weights.clone();
  }

  synchronized long steps() {
    return steps;
  }

  /**
   * Adds a trainer's gradient, and waits until all have been added and the step is taken.
   *
   * @param gradient the sum over the trainer's rows for the weights, the bias and the loss
   * @param factor what the sum of all gradients is multiplied with
   * @return the sum of the losses before the step
   */
  synchronized double step(int trainer, int trainers, List<Double> gradient, double factor)
      throws InterruptedException {
    if (sums == null) {
      sums = new ArrayList<>(Collections.nCopies(trainers, null));
      missing = trainers;
    }
    List<List<Double>> mine = sums;
    long begun = steps;
    mine.set(trainer, gradient);
    if (--missing == 0) {
      for (int i = 0; i < weights.length; i++) {
        weights[i] -= factor * sum(mine, i);
      }
      sums = null;
      steps++;
      notifyAll();
    }
    while (steps == begun) {
      wait();
    }
    return sum(mine, weights.length);
  }

  private static double sum(List<List<Double>> parts, int index) {
    return parts.stream().mapToDouble(part -> part.get(index)).sum();
  }
}
