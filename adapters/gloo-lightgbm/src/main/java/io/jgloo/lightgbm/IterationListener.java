package io.jgloo.lightgbm;

import java.util.Map;

/** Receives the progress of a training. */
@FunctionalInterface
public interface IterationListener {
  /**
   * Called at each rank when an iteration is complete; once more for iterations that are repeated
   * because a rank was lost. What it throws ends the training at this rank, which is lost for the
   * others.
   *
   * @param iteration 1 for the first
   * @param metrics of the validation rows, averaged over all ranks; empty without such rows
   */
  void completed(int iteration, Map<String, Double> metrics);
}
