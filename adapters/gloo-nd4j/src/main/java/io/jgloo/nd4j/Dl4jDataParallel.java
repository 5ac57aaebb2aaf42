package io.jgloo.nd4j;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.gradient.DataParallel;
import io.jgloo.transport.JGlooException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.api.NeuralNetwork;
import org.deeplearning4j.nn.api.OptimizationAlgorithm;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.indexing.NDArrayIndex;

/**
 * Averages the gradients of a network of DL4J over all ranks, each of which fits it to its own
 * data.
 *
 * <pre>{@code
 * Dl4jDataParallel.of(group, network, options -> {});
 * network.fit(iterator, epochs);
 * }</pre>
 *
 * <p>Parameters, the updater's state and the numbers of the iteration and epoch are copied from
 * rank 0 at the start, so only rank 0 needs to load a checkpoint. DL4J divides gradients by the
 * size of the batch, and batch normalization keeps its statistics as parameters with gradients:
 * both are as for one batch that consists of those of all ranks, which must have equal sizes. With
 * {@code miniBatch(false)} gradients are still averaged over ranks.
 *
 * <p><em>Threads</em>: the one that fits the network. <em>Fails</em>: {@code fit} throws what the
 * group's calls throw; the network is then as after the step before.
 */
public final class Dl4jDataParallel extends BaseTrainingListener {

  /** The group's timeout bounds each call. */
  private static final Duration UNLIMITED = Duration.ofDays(1);

  /** One parameter, where it lies in the array of all. */
  private record Range(int number, long start, long end) {}

  private final ProcessGroup group;
  private final DataParallel parallel;
  private final List<Range> ranges = new ArrayList<>();
  private final List<Payload> gradients = new ArrayList<>();
  private @Nullable INDArray array; // of the gradients

  private <N extends Model & NeuralNetwork> Dl4jDataParallel(
      ProcessGroup group, N network, int[] counters, Consumer<DataParallel.Builder> options) {
    INDArray all = network.params();
    if (all == null || all.isEmpty()) {
      throw new IllegalArgumentException("network must have parameters; call init() first");
    }
    OptimizationAlgorithm algorithm = network.conf().getOptimizationAlgo();
    if (algorithm != OptimizationAlgorithm.STOCHASTIC_GRADIENT_DESCENT) {
      throw new IllegalArgumentException(
          "network must use STOCHASTIC_GRADIENT_DESCENT, but uses "
              + (algorithm + ", whose number of gradients in a step depends on the rank's data"));
    }
    this.group = group;
    DataParallel.Builder builder = DataParallel.over(group);
    addParameters(builder, all, network.paramTable());
    INDArray state = network.updaterState();
    if (state != null) {
      builder.buffer("state of the updater", Nd4jTensors.of(state));
    }
    builder.buffer("iteration and epoch", Payload.of(counters));
    options.accept(builder);
    parallel = builder.build();
    network.addListeners(this);
  }

  /**
   * Makes the parameters and the updater's state those of rank 0, and adds a listener to the
   * network that averages its gradients. {@code setListeners} would remove it: use {@code
   * addListeners} for others.
   *
   * @param network initialized, the same at all ranks
   * @param options size of buckets, compression, hook and so on; ranks cannot join
   * @throws IllegalArgumentException if the network is not initialized, or uses another algorithm
   *     than stochastic gradient descent
   * @throws io.jgloo.transport.MismatchException at all ranks if the network of a rank differs, or
   *     its updater has a state of another size; names the first difference
   * @throws JGlooException if the group has failed
   */
  public static Dl4jDataParallel of(
      ProcessGroup group, MultiLayerNetwork network, Consumer<DataParallel.Builder> options) {
    int[] counters = {network.getIterationCount(), network.getEpochCount()};
    Dl4jDataParallel parallel = new Dl4jDataParallel(group, network, counters, options);
    network.setIterationCount(counters[0]);
    network.setEpochCount(counters[1]);
    return parallel;
  }

  /** Does the same for a graph. */
  public static Dl4jDataParallel of(
      ProcessGroup group, ComputationGraph network, Consumer<DataParallel.Builder> options) {
    int[] counters = {network.getIterationCount(), network.getEpochCount()};
    Dl4jDataParallel parallel = new Dl4jDataParallel(group, network, counters, options);
    network.getConfiguration().setIterationCount(counters[0]);
    network.getConfiguration().setEpochCount(counters[1]);
    return parallel;
  }

  /** All parameters are views of one array, whose order is not always that of the table. */
  private void addParameters(
      DataParallel.Builder builder, INDArray all, Map<String, INDArray> table) {
    TreeMap<Long, Map.Entry<String, INDArray>> byStart = new TreeMap<>();
    for (Map.Entry<String, INDArray> each : table.entrySet()) {
      long bytes = Nd4jTensors.address(each.getValue()) - Nd4jTensors.address(all);
      byStart.put(bytes / all.dataType().width(), each);
    }
    byStart.forEach(
        (start, each) -> {
          Long next = byStart.higherKey(start);
          long end = next == null ? all.length() : next;
          int number =
              builder.parameter(each.getKey(), slice(all, start, end), each.getValue().shape());
          ranges.add(new Range(number, start, end));
        });
  }

  private static Payload slice(INDArray all, long start, long end) {
    return Nd4jTensors.of(all.reshape(all.length()).get(NDArrayIndex.interval(start, end)));
  }

  /**
   * Averages the gradients; DL4J calls this before its updater.
   *
   * @throws IllegalStateException at all ranks if batches have different sizes
   * @throws JGlooException if the group has failed
   */
  @Override
  public void onGradientCalculation(Model model) {
    checkBatch(model.batchSize());
    INDArray all = model.getGradientsViewArray();
    if (all != array) {
      gradients.clear();
      ranges.forEach(range -> gradients.add(slice(all, range.start, range.end)));
      array = all;
    }
    for (int i = ranges.size() - 1; i >= 0; i--) {
      parallel.ready(ranges.get(i).number, gradients.get(i));
    }
    parallel.finish(UNLIMITED);
  }

  /**
   * Checks that no rank has another batch in this epoch.
   *
   * @throws IllegalStateException at all ranks if one has
   * @throws JGlooException if the group has failed
   */
  @Override
  public void onEpochEnd(Model model) {
    checkBatch(0);
  }

  private void checkBatch(int examples) {
    int[] most = {examples, -examples};
    group.allreduce(most, ReduceOp.MAX);
    if (most[0] != -most[1]) {
      throw new IllegalStateException(
          "batches must have the same size at all ranks, but have %d to %d examples, here %d; 0: %s"
              .formatted(-most[1], most[0], examples, "a rank has no more batch in this epoch"));
    }
  }

  /** Averages metrics over the samples of all ranks, see {@link DataParallel#average}. */
  public double[] average(long samples, double... metrics) {
    return parallel.average(samples, metrics);
  }
}
