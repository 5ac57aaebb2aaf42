package io.jgloo.djl;

import ai.djl.metric.Metrics;
import ai.djl.ndarray.NDArray;
import ai.djl.nn.Parameter;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.Sampler;
import ai.djl.training.listener.EvaluatorTrainingListener;
import ai.djl.training.listener.TrainingListenerAdapter;
import ai.djl.util.Pair;
import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.gradient.DataParallel;
import io.jgloo.transport.JGlooException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Averages the gradients of a trainer of DJL over all ranks, each of which trains on its own
 * batches.
 *
 * <pre>{@code
 * DjlDataParallel parallel = new DjlDataParallel(group, options -> {});
 * config.addTrainingListeners(new EvaluatorTrainingListener(), parallel);
 * ... dataset with setSampling(parallel.sampler(32, 42)) ...
 * trainer.initialize(shape);
 * parallel.start(trainer);
 * EasyTrain.fit(trainer, epochs, dataset, null);
 * }</pre>
 *
 * <p>{@code EasyTrain} calls listeners between the backward pass and {@code Trainer.step}. A
 * program with its own loop calls {@link #averageGradients} there. At the end of an epoch all ranks
 * get the buffers of rank 0, such as the statistics of batch normalization, and evaluations are
 * averaged over the samples of all ranks: in {@code Trainer.getTrainingResult} and the trainer's
 * metrics, so that a {@code LoggingTrainingListener} that follows this one prints the averages.
 *
 * <p><em>Threads</em>: the one that trains. <em>Fails</em>: like the group's calls.
 */
public final class DjlDataParallel extends TrainingListenerAdapter {

  /** The group's timeout bounds each call. */
  private static final Duration UNLIMITED = Duration.ofDays(1);

  private final ProcessGroup group;
  private final Consumer<DataParallel.Builder> options;
  private final List<Parameter> parameters = new ArrayList<>();
  private @Nullable DataParallel parallel;
  private long trained; // samples in this epoch
  private long validated;

  /**
   * Prepares the training of one model.
   *
   * @param options size of buckets, compression, hook and so on; ranks cannot join
   */
  public DjlDataParallel(ProcessGroup group, Consumer<DataParallel.Builder> options) {
    if (group == null || options == null) {
      throw new IllegalArgumentException("group and options must not be null");
    }
    this.group = group;
    this.options = options;
  }

  /**
   * Makes the parameters those of rank 0, after the trainer is initialized or a checkpoint is
   * loaded, and before the first batch.
   *
   * @throws IllegalArgumentException if the trainer is not initialized, uses several devices, or a
   *     parameter cannot be {@linkplain DjlTensors#of used in place}
   * @throws io.jgloo.transport.MismatchException at all ranks if the model of a rank differs; names
   *     the first difference
   * @throws JGlooException if the group has failed
   */
  public void start(Trainer trainer) {
    if (trainer.getDevices().length != 1) {
      throw new IllegalArgumentException(
          "trainer must use one device, but uses " + trainer.getDevices().length);
    }
    DataParallel.Builder builder = DataParallel.over(group);
    parameters.clear();
    for (Pair<String, Parameter> each : trainer.getModel().getBlock().getParameters()) {
      Parameter parameter = each.getValue();
      if (!parameter.isInitialized()) {
        throw new IllegalArgumentException(
            "trainer must be initialized, but parameter " + each.getKey() + " is not");
      }
      NDArray array = parameter.getArray();
      Payload values = DjlTensors.of(array);
      if (parameter.requiresGradient()) {
        builder.parameter(each.getKey(), values, array.getShape().getShape());
        parameters.add(parameter);
      } else {
        builder.buffer(each.getKey(), values, array.getShape().getShape());
      }
    }
    options.accept(builder);
    parallel = builder.build();
  }

  /**
   * Averages the gradients, between the backward pass and {@code Trainer.step}.
   *
   * @throws IllegalStateException if {@link #start} was not called, or a parameter was frozen since
   *     then; if the backward pass has reached a parameter at another rank, but not at this one:
   *     DJL has no place for its gradient then
   * @throws JGlooException if the group has failed
   */
  public void averageGradients() {
    DataParallel all = core();
    NDArray[] gradients = new NDArray[parameters.size()];
    try {
      for (int i = gradients.length - 1; i >= 0; i--) {
        if (parameters.get(i).requiresGradient()) {
          gradients[i] = parameters.get(i).getArray().getGradient(); // a new handle
          all.ready(i, DjlTensors.of(gradients[i]));
        }
      }
      all.finish(UNLIMITED);
      for (int i = 0; i < gradients.length; i++) {
        checkReached(parameters.get(i), gradients[i]);
      }
    } finally {
      for (NDArray gradient : gradients) {
        if (gradient != null) {
          gradient.close();
        }
      }
    }
  }

  /** DJL makes a new array of zeros where PyTorch has no gradient, and then at each call. */
  private static void checkReached(Parameter parameter, NDArray gradient) {
    try (NDArray again = parameter.getArray().getGradient()) {
      if (DjlTensors.address(again) != DjlTensors.address(gradient)) {
        try (NDArray nonzero = gradient.countNonzero()) {
          if (nonzero.getLong() > 0) {
            throw new IllegalStateException(
                ("parameter " + parameter.getName() + " of shape " + gradient.getShape())
                    + " has no gradient at this rank, but at another");
          }
        }
      }
    }
  }

  @Override
  public void onTrainingBatch(Trainer trainer, BatchData batchData) {
    averageGradients();
    trained += batchData.getBatch().getSize();
  }

  @Override
  public void onValidationBatch(Trainer trainer, BatchData batchData) {
    validated += batchData.getBatch().getSize();
  }

  /**
   * Averages evaluations, and copies the buffers of rank 0.
   *
   * @throws IllegalStateException if the {@code EvaluatorTrainingListener} of the trainer comes
   *     after this listener
   * @throws JGlooException if the group has failed
   */
  @Override
  public void onEpoch(Trainer trainer) {
    core().broadcast(0);
    Map<String, Float> latest = trainer.getTrainingResult().getEvaluations();
    if (latest != null) {
      if (!Float.isNaN(trainer.getLoss().getAccumulator(EvaluatorTrainingListener.TRAIN_EPOCH))) {
        throw new IllegalStateException(
            "add this listener after the EvaluatorTrainingListener, which has not run yet");
      }
      average(trainer, latest, "train", trained);
      average(trainer, latest, "validate", validated);
    }
    trained = 0;
    validated = 0;
  }

  private void average(Trainer trainer, Map<String, Float> latest, String stage, long samples) {
    List<String> keys =
        latest.keySet().stream().filter(key -> key.startsWith(stage + "_")).sorted().toList();
    double[] own = keys.stream().mapToDouble(latest::get).toArray();
    double[] averages = core().average(samples, own);
    Metrics metrics = trainer.getMetrics();
    for (int i = 0; i < averages.length; i++) {
      latest.put(keys.get(i), (float) averages[i]);
      if (metrics != null) {
        metrics.addMetric(
            stage + "_epoch_" + keys.get(i).substring(stage.length() + 1), averages[i]);
      }
    }
  }

  /**
   * Samples batches of this rank: in each epoch all ranks shuffle the data set alike, and divide
   * every batch of all ranks among them. Samples that ranks cannot have equally many of are left
   * out in that epoch.
   *
   * @param batchSize of one rank
   * @param seed of the shuffling, the same at all ranks
   * @throws IllegalArgumentException if the size is not positive
   */
  public Sampler sampler(int batchSize, long seed) {
    return new RankSampler(group.rank(), group.size(), batchSize, seed);
  }

  /**
   * What the frameworks share: metrics, and copying the values of a rank.
   *
   * @throws IllegalStateException if {@link #start} was not called
   */
  public DataParallel core() {
    DataParallel started = parallel;
    if (started == null) {
      throw new IllegalStateException("call start(trainer) after trainer.initialize(...)");
    }
    return started;
  }
}
