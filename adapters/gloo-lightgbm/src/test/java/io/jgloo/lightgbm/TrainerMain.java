package io.jgloo.lightgbm;

import io.jgloo.ProcessGroup;
import java.time.Duration;

/**
 * One rank of a training, in a process.
 *
 * <p>{@code RANK SIZE STORE ITERATIONS TIMEOUT_SECONDS}. Prints each iteration, and at the end the
 * number of ranks that are left, the AUC for rows of no rank, and a hash of the model.
 */
final class TrainerMain {
  private TrainerMain() {}

  public static void main(String[] args) {
    int rank = Integer.parseInt(args[0]);
    int size = Integer.parseInt(args[1]);
    Duration timeout = Duration.ofSeconds(Integer.parseInt(args[4]));
    try (ProcessGroup group =
        ProcessGroup.builder().rank(rank).size(size).store(args[2]).timeout(timeout).connect()) {
      TrainedModel model =
          new DistributedTrainer(group)
              .parameter("objective", "binary")
              .parameter("verbosity", -1)
              .parameter("num_threads", 1)
              .iterations(Integer.parseInt(args[3]))
              .shrinkTimeout(timeout)
              .onIteration((iteration, metrics) -> System.out.println("iteration " + iteration))
              .train(new Rows(rank, 1500, 2).training());
      try (ProcessGroup left = model.group()) {
        Rows test = new Rows(1000, 2000, 2);
        try (Booster booster = Booster.load(model.text());
            Dataset rows = new Dataset(test.training(), "verbosity=-1", null)) {
          System.out.println(
              ("finished " + model.iterations() + " with " + left.size())
                  + (" auc " + test.auc(rows.predictRaw(booster)))
                  + (" model " + model.text().hashCode()));
        }
      }
    }
  }
}
