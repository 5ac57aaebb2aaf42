package io.jgloo.lightgbm;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.AbortedException;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.PeerLostException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Trains a model of LightGBM on the rows of all ranks of a group.
 *
 * <pre>{@code
 * TrainedModel model =
 *     new DistributedTrainer(group)
 *         .parameter("objective", "binary")
 *         .iterations(100)
 *         .train(TrainingRows.dense(features, columns).labels(labels));
 * }</pre>
 *
 * <p>All ranks make the same settings and call {@link #train} with rows of their own. Ranks agree
 * on the bins of features; metrics are averaged over all ranks, weighted by the number of
 * validation rows; all ranks stop early at the same iteration; and all get the same model.
 *
 * <p>If a rank is lost, the others shrink the group, go back to the last iteration that all of them
 * have completed, and train the remaining iterations on their own rows. This needs a group with a
 * store that outlives the rank ({@link ProcessGroup#shrink}); with any other group the training
 * fails, and a checkpoint is where it goes on.
 *
 * <p><em>Threads</em>: one, a platform thread, which LightGBM's network belongs to during {@link
 * #train}.
 */
public final class DistributedTrainer {

  private static final Set<String> OWN_PARAMETERS =
      Set.of(
          "num_machines", "num_machine", "machines", "workers", "nodes", "machine_list_filename");

  /** Boosting types whose earlier trees change later, so that no training can go on from them. */
  private static final Set<String> NOT_CONTINUED = Set.of("dart", "rf", "random_forest");

  private static final Set<String> LEARNERS =
      Set.of("data", "data_parallel", "voting", "voting_parallel");

  private ProcessGroup group;
  private final ProcessGroup given;
  private final Map<String, String> parameters = new LinkedHashMap<>();
  private int iterations = 100;
  private @Nullable TrainingRows validation;
  private int earlyStopping;
  private @Nullable Path checkpoint;
  private int checkpointEvery;
  private IterationListener listener = (iteration, metrics) -> {};
  private Duration shrinkTimeout = Duration.ofSeconds(30);

  private @Nullable Dataset trainSet;
  private @Nullable Dataset validationSet;
  private final NavigableMap<Integer, Map<String, Double>> history = new TreeMap<>();

  /** A trainer with LightGBM's own parameters, and 100 iterations. */
  public DistributedTrainer(ProcessGroup group) {
    if (group == null) {
      throw new IllegalArgumentException("group must not be null");
    }
    this.group = group;
    given = group;
  }

  /**
   * Sets a parameter of LightGBM, such as {@code objective} or {@code num_leaves}. {@code
   * tree_learner} is {@code data} unless it is set to {@code voting}.
   *
   * @throws IllegalArgumentException for feature-parallel learning, which LightGBM's C API refuses,
   *     and for the parameters of LightGBM's sockets
   */
  public DistributedTrainer parameter(String name, Object value) {
    String text = String.valueOf(value);
    if (OWN_PARAMETERS.contains(name)) {
      throw new IllegalArgumentException(name + " is set by the group, and must not be given");
    }
    if (name.isEmpty() || (name + text).matches("(?s).*[\\s=].*")) {
      throw new IllegalArgumentException(
          "name and value must not contain white space or =, but are " + name + ", " + text);
    }
    boolean isLearner =
        Set.of("tree_learner", "tree", "tree_type", "tree_learner_type").contains(name);
    if (isLearner && !LEARNERS.contains(text)) {
      throw new IllegalArgumentException(
          name
              + (" must be data or voting, but is " + text)
              + " (LightGBM's C API refuses feature-parallel learning)");
    }
    parameters.put(isLearner ? "tree_learner" : name, text);
    return this;
  }

  /** Sets the number of iterations, with those of the checkpoint that is gone on from. */
  public DistributedTrainer iterations(int value) {
    iterations = positive("iterations", value);
    return this;
  }

  /** Sets this rank's validation rows; all ranks have some. */
  public DistributedTrainer validation(TrainingRows rows) {
    validation = rows;
    return this;
  }

  /**
   * Stops when the first metric has not improved for a number of iterations; the model then has the
   * trees up to the best. Needs validation rows.
   */
  public DistributedTrainer earlyStopping(int rounds) {
    earlyStopping = positive("rounds", rounds);
    return this;
  }

  /**
   * Writes the model to a file after every so many iterations, by rank 0. If the file is there at
   * the start, training goes on from it, so the name belongs to one job. Rank 0 reads it; if
   * another rank may become rank 0, it must see the same file.
   */
  public DistributedTrainer checkpoint(Path file, int every) {
    checkpoint = file;
    checkpointEvery = positive("every", every);
    return this;
  }

  /** Sets what is called after each iteration. */
  public DistributedTrainer onIteration(IterationListener value) {
    listener = value;
    return this;
  }

  /** Sets how long survivors wait for a rank that does not answer; by default 30 s. */
  public DistributedTrainer shrinkTimeout(Duration value) {
    shrinkTimeout = value;
    return this;
  }

  private static int positive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be positive, but is " + value);
    }
    return value;
  }

  /**
   * Trains. Called by all ranks; returns at all of them, or at those that are left.
   *
   * @throws LightGbmException if LightGBM refuses parameters or rows; the group is aborted, so this
   *     rank is lost for the others as soon as the caller closes the group
   * @throws io.jgloo.transport.JGlooException if the group fails and cannot be shrunk
   */
  public TrainedModel train(TrainingRows rows) {
    if (earlyStopping > 0 && validation == null) {
      throw new IllegalArgumentException("early stopping needs validation rows");
    }
    String model = null; // what all ranks have completed
    int completed = 0;
    try {
      while (true) {
        Attempt attempt = new Attempt(model, completed);
        try {
          String text = attempt.run(rows);
          int last = iterationsOf(history, attempt.result);
          return new TrainedModel(
              text, attempt.result, history.getOrDefault(last, Map.of()), group);
        } catch (RuntimeException e) {
          model = attempt.recover(e);
          completed = attempt.completed;
        } finally {
          attempt.close();
        }
      }
    } catch (RuntimeException | Error e) {
      group.abort("training failed at rank " + group.rank() + ": " + e.getMessage());
      if (group != given) {
        group.close();
      }
      throw e;
    } finally {
      closeDatasets();
    }
  }

  private static int iterationsOf(NavigableMap<Integer, ?> history, int result) {
    Integer last = history.floorKey(result);
    return last == null ? 0 : last;
  }

  private void closeDatasets() {
    if (validationSet != null) {
      validationSet.close();
      validationSet = null;
    }
    if (trainSet != null) {
      trainSet.close();
      trainSet = null;
    }
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    parameters.forEach((name, value) -> text.append(name).append('=').append(value).append(' '));
    if (!parameters.containsKey("tree_learner")) {
      text.append("tree_learner=data ");
    }
    // The rows of a file are all this rank's.
    return text.append("pre_partition=true num_machines=").append(group.size()).toString();
  }

  /** Training by the members of one group, from a model that all of them have, to the end. */
  private final class Attempt implements AutoCloseable {
    private @Nullable String start;
    private @Nullable LightGbmNetwork network;
    private @Nullable Booster booster;
    private int completed;
    private int result;

    Attempt(@Nullable String start, int completed) {
      this.start = start;
      this.completed = completed;
    }

    String run(TrainingRows rows) {
      network = LightGbmNetwork.open(group);
      if (start == null) {
        start = readCheckpoint();
      }
      if (trainSet == null) {
        trainSet = new Dataset(rows, text(), null);
      }
      if (validation != null && validationSet == null) {
        validationSet = new Dataset(validation, text(), trainSet);
      }
      booster = create(trainSet);
      List<String> metrics = validationSet == null ? List.of() : booster.metrics();
      if (validationSet != null && metrics.isEmpty()) {
        throw new LightGbmException("no metric is defined for the validation rows");
      }
      boolean ended = stopsEarly(metrics);
      while (completed < iterations && !ended) {
        if (booster.update()) {
          break; // no tree can be split any more
        }
        if (validationSet != null) {
          history.put(completed + 1, average(metrics, validationSet.count()));
        }
        completed++;
        ended = stopsEarly(metrics);
        if (checkpoint != null && completed % checkpointEvery == 0 && group.rank() == 0) {
          writeCheckpoint(booster.save(completed));
        }
        listener.completed(completed, history.getOrDefault(completed, Map.of()));
      }
      result = ended ? best(metrics.get(0)) : completed;
      String text = broadcast(booster.save(result));
      group.barrier(); // no rank closes the group while another needs it
      return text;
    }

    private Booster create(Dataset trained) {
      if (start == null) {
        Booster created = Booster.of(trained, text());
        if (validationSet != null) {
          created.addValidation(validationSet);
        }
        return created;
      }
      try (Booster before = Booster.load(start)) {
        trained.startFrom(before);
        if (validationSet != null) {
          validationSet.startFrom(before);
        }
        Booster created = Booster.of(trained, text());
        try {
          if (validationSet != null) {
            created.addValidation(validationSet);
          }
          created.merge(before);
          completed = before.iterations();
          return created;
        } catch (RuntimeException e) {
          created.close();
          throw e;
        }
      }
    }

    private Map<String, Double> average(List<String> metrics, int rows) {
      double[] values = booster().evaluate(metrics.size());
      double[] sums = new double[values.length + 1];
      sums[values.length] = rows;
      for (int i = 0; i < values.length; i++) {
        sums[i] = rows * values[i];
      }
      group.allreduce(sums, ReduceOp.SUM);
      Map<String, Double> averages = new LinkedHashMap<>();
      for (int i = 0; i < values.length; i++) {
        averages.put(metrics.get(i), sums[i] / sums[values.length]);
      }
      return averages;
    }

    private boolean stopsEarly(List<String> metrics) {
      return earlyStopping > 0
          && !history.isEmpty()
          && history.lastKey() - best(metrics.get(0)) >= earlyStopping;
    }

    /** The iteration with the best metric, the first of those that are equal. */
    @SuppressWarnings("NullAway") // every iteration has every metric
    private int best(String metric) {
      boolean greater = metric.matches("(auc|ndcg|map|average_precision).*");
      int best = history.firstKey();
      for (Map.Entry<Integer, Map<String, Double>> each : history.entrySet()) {
        double change = each.getValue().get(metric) - history.get(best).get(metric);
        if (greater ? change > 0 : change < 0) {
          best = each.getKey();
        }
      }
      return best;
    }

    /**
     * Forms a group of the ranks that are left.
     *
     * @return the model after the last iteration that all of them have completed, or null
     * @throws RuntimeException the failure, if no rank is lost or the group cannot be shrunk
     */
    @Nullable String recover(RuntimeException failure) {
      RuntimeException cause = causeOf(failure);
      boolean isLoss =
          cause instanceof PeerLostException
              || cause instanceof OperationTimeoutException
              || cause instanceof AbortedException;
      String boosting = parameters.getOrDefault("boosting", "gbdt");
      if (!isLoss || NOT_CONTINUED.contains(boosting)) {
        throw cause;
      }
      closeNetwork();
      try {
        while (true) {
          int size = group.size();
          group = group.shrink(shrinkTimeout);
          if (group.size() == size) {
            throw cause; // no rank is lost: the next attempt would end like this one
          }
          // How much each has completed, and whether it has its data sets.
          long[] least = {completed, trainSet == null ? 0 : 1, validationSet == null ? 0 : 1};
          try {
            group.allreduce(least, ReduceOp.MIN);
          } catch (PeerLostException | OperationTimeoutException e) {
            continue;
          }
          completed = (int) least[0];
          history.tailMap(completed, false).clear();
          if (completed == 0 || least[1] == 0 || (least[2] == 0 && validation != null)) {
            closeDatasets(); // with the scores of a model, or not made by all
          }
          if (completed == 0) {
            return null;
          }
          return booster == null ? start : booster.save(completed);
        }
      } catch (UnsupportedOperationException e) { // a group without a store
        cause.addSuppressed(e);
        throw cause;
      }
    }

    private RuntimeException causeOf(RuntimeException failure) {
      if (!(failure instanceof LightGbmException) || network == null) {
        return failure;
      }
      return network.failure().orElse(failure) instanceof RuntimeException cause ? cause : failure;
    }

    private Booster booster() {
      if (booster == null) {
        throw new IllegalStateException("not created");
      }
      return booster;
    }

    private @Nullable String readCheckpoint() {
      if (checkpoint == null) {
        return null;
      }
      String text = "";
      if (group.rank() == 0 && Files.exists(checkpoint)) {
        try {
          text = Files.readString(checkpoint);
        } catch (IOException e) {
          throw new UncheckedIOException("checkpoint " + checkpoint + " cannot be read", e);
        }
      }
      String all = broadcast(text);
      return all.isEmpty() ? null : all;
    }

    @SuppressWarnings("NullAway") // called only where there is to be a checkpoint
    private void writeCheckpoint(String text) {
      Path part = checkpoint.resolveSibling(checkpoint.getFileName() + ".part");
      try {
        Files.writeString(part, text);
        Files.move(
            part, checkpoint, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } catch (IOException e) {
        throw new UncheckedIOException("checkpoint " + checkpoint + " cannot be written", e);
      }
    }

    /** Rank 0's text. */
    private String broadcast(String text) {
      byte[] bytes = text.getBytes(UTF_8);
      long[] length = {bytes.length};
      group.broadcast(length, 0);
      byte[] all = group.rank() == 0 ? bytes : new byte[(int) length[0]];
      group.broadcast(Payload.of(all), 0);
      return new String(all, UTF_8);
    }

    private void closeNetwork() {
      if (network != null) {
        network.close();
        network = null;
      }
    }

    @Override
    public void close() {
      closeNetwork();
      if (booster != null) {
        booster.close();
      }
    }
  }
}
