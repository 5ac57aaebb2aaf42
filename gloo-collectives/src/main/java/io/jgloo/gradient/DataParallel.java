package io.jgloo.gradient;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.Work;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.gradient.GradientReducer.Divisor;
import io.jgloo.transport.JGlooException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;

/**
 * Trains copies of one model, one at each rank, each on its own part of the input.
 *
 * <pre>{@code
 * DataParallel.Builder builder = DataParallel.over(group);
 * int weights = builder.parameter("weights", Payload.of(w), 64, 10);
 * int bias = builder.parameter("bias", Payload.of(b));
 * DataParallel parallel = builder.build();      // now all ranks have the values of rank 0
 * for (...) {                                   // each step
 *   ... backward pass, last layer first ...
 *   parallel.ready(bias, Payload.of(biasGradient));
 *   parallel.ready(weights, Payload.of(weightGradient));
 *   parallel.finish(Duration.ofSeconds(30));    // now both hold the average
 *   ... optimizer ...
 * }
 * }</pre>
 *
 * <p>As PyTorch's DistributedDataParallel: parameters start equal, and stay equal because each rank
 * applies the same averages. {@link GradientReducer} does the averaging, and says in which order
 * gradients are sent. A parameter without a gradient in a step (unused, or frozen at this rank
 * alone) is named by {@link #finish}: give it a gradient of zeros.
 *
 * <p><em>Threads</em>: any may say that a gradient is ready, and one at a time does the rest; all
 * ranks make the other calls in one order. <em>Fails</em>: like the group's calls.
 */
public final class DataParallel {

  private record Values(String name, Payload memory) {}

  private final ProcessGroup group;
  private final List<Values> parameters;
  private final List<Values> buffers;
  private final GradientReducer reducer;
  private final int checkSteps;
  private long steps;
  private volatile boolean accumulating;

  private DataParallel(Builder builder) {
    group = builder.group;
    parameters = List.copyOf(builder.parameters);
    buffers = List.copyOf(builder.buffers);
    checkSteps = builder.checkSteps;
    List<String> model = new ArrayList<>(builder.description);
    model.add(0, "check of parameters every " + checkSteps + " steps");
    new Agreement(group, "have unlike models", model).check();
    reducer = builder.reducer.build();
    broadcast(0);
  }

  /** Begins to describe the model. */
  public static Builder over(ProcessGroup group) {
    return new Builder(group);
  }

  /** Describes the model, layer by layer in the order of the forward pass. */
  public static final class Builder {
    private final ProcessGroup group;
    private final GradientReducer.Builder reducer;
    private final List<Values> parameters = new ArrayList<>();
    private final List<Values> buffers = new ArrayList<>();
    private final List<String> description = new ArrayList<>();
    private int checkSteps;
    private boolean joinable;

    private Builder(ProcessGroup group) {
      reducer = GradientReducer.over(group); // checks it
      this.group = group;
    }

    /**
     * Adds a parameter that is trained.
     *
     * @param name for messages
     * @param values where they are, as long as the model is trained
     * @param shape for the comparison with other ranks; may be left out
     * @return its number, by which its gradient is called ready
     * @throws IllegalArgumentException if the shape has not as many elements, or cannot be averaged
     */
    public int parameter(String name, Payload values, long... shape) {
      add("parameter", parameters, name, values, shape);
      return reducer.register(name, values.type(), values.count());
    }

    /**
     * Adds values that have no gradient: frozen parameters, statistics of a batch normalization.
     *
     * @param name for messages
     * @param values where they are, as long as the model is trained
     * @param shape for the comparison with other ranks; may be left out
     * @throws IllegalArgumentException if the shape has not as many elements
     */
    public Builder buffer(String name, Payload values, long... shape) {
      add("buffer", buffers, name, values, shape);
      return this;
    }

    private void add(String kind, List<Values> to, String name, Payload values, long... shape) {
      if (name == null || values == null) {
        throw new IllegalArgumentException("name and values must not be null");
      }
      if (shape.length > 0
          && Arrays.stream(shape).reduce(1, Math::multiplyExact) != values.count()) {
        throw new IllegalArgumentException(
            "shape of " + name + " must have " + values + ", but is " + Arrays.toString(shape));
      }
      to.add(new Values(name, values));
      description.add(
          "%s %s of shape %s (%s)".formatted(kind, name, Arrays.toString(shape), values));
    }

    /** Sets the size of buckets, see {@link GradientReducer.Builder#bucketBytes}. */
    public Builder bucketBytes(long bytes, long firstBytes) {
      reducer.bucketBytes(bytes, firstBytes);
      return this;
    }

    /** Sends float32 in half the bytes, see {@link GradientReducer.Builder#compress}. */
    public Builder compress(DataType type) {
      reducer.compress(type);
      return this;
    }

    /** Replaces the allreduce of buckets, see {@link GradientReducer.Builder#bucketHook}. */
    public Builder bucketHook(BiFunction<ProcessGroup, Payload, Work> hook) {
      reducer.bucketHook(hook);
      return this;
    }

    /** Lets ranks run out of input, see {@link GradientReducer.Builder#joinable}. */
    public Builder joinable(Divisor divisor) {
      reducer.joinable(divisor);
      joinable = true;
      return this;
    }

    /**
     * Compares the parameters of all ranks, by a digest of each, in every n-th step: for finding
     * out why ranks differ. Not at all unless said.
     *
     * @param steps 1 or more
     * @throws IllegalArgumentException if it is less
     */
    public Builder checkParameters(int steps) {
      if (steps < 1) {
        throw new IllegalArgumentException("steps must be positive, but is " + steps);
      }
      checkSteps = steps;
      return this;
    }

    /**
     * Compares the model with that of the other ranks, and copies parameters and buffers of rank 0
     * to them.
     *
     * @throws IllegalArgumentException if there is no parameter, or parameters are to be checked
     *     though ranks may join: those that have joined do not update theirs
     * @throws io.jgloo.transport.MismatchException at all ranks if the model of a rank differs;
     *     names the first difference. The group lives on
     * @throws JGlooException if the group has failed
     */
    public DataParallel build() {
      if (parameters.isEmpty()) {
        throw new IllegalArgumentException("the model has no parameter");
      }
      if (joinable && checkSteps > 0) {
        throw new IllegalArgumentException(
            "parameters cannot be checked where ranks may join, which do not update theirs");
      }
      return new DataParallel(this);
    }
  }

  /**
   * Copies parameters and buffers of a rank to all: after that rank has loaded a checkpoint.
   *
   * @throws JGlooException if the group has failed
   */
  public void broadcast(int root) {
    for (List<Values> all : List.of(parameters, buffers)) {
      all.forEach(each -> group.broadcast(each.memory, root));
    }
  }

  /**
   * The gradient of a parameter is complete and lies here, see {@link GradientReducer#ready(int,
   * Payload)}. Within {@link #noSync} this does nothing.
   */
  public void ready(int parameter, Payload gradient) {
    if (!accumulating) {
      reducer.ready(parameter, gradient);
    }
  }

  /**
   * Runs backward passes whose gradients are accumulated by the runtime and not sent yet: all of a
   * step but the last.
   */
  public void noSync(Runnable passes) {
    accumulating = true;
    try {
      passes.run();
    } finally {
      accumulating = false;
    }
  }

  /**
   * Waits until all gradients are averaged, before the optimizer uses them; see {@link
   * GradientReducer#finish}.
   *
   * @throws IllegalStateException if a parameter has no gradient yet; names it
   * @throws io.jgloo.transport.MismatchException at all ranks if parameters are checked in this
   *     step and differ between ranks; names the first. The group lives on
   * @throws JGlooException if the group has failed, or the time is not enough
   */
  public void finish(Duration timeout) {
    reducer.finish(timeout);
    steps++;
    if (checkSteps > 0 && steps % checkSteps == 0) {
      List<String> digests = new ArrayList<>();
      for (Values each : parameters) {
        digests.add(each.name + " with digest " + digest(each.memory));
      }
      new Agreement(group, "have unlike parameters in step " + steps, digests).check();
    }
  }

  private static UUID digest(Payload values) {
    byte[] bytes = new byte[Math.toIntExact(values.bytes())];
    values.copyTo(Payload.of(bytes, 0, bytes.length, values.type()));
    return UUID.nameUUIDFromBytes(bytes);
  }

  /**
   * Takes part in the steps of the ranks that still have input, see {@link GradientReducer#join}.
   * Then all ranks have the parameters and buffers of one that had input to the end.
   *
   * @return that rank
   */
  public int join(Duration timeout) {
    int last = reducer.join(timeout);
    broadcast(last);
    return last;
  }

  /**
   * Averages metrics over the samples of all ranks, such as loss and accuracy of an epoch.
   *
   * @param samples of this rank; 0 if it had none
   * @param metrics averages over the samples of this rank, as many at all ranks
   * @return the averages over all samples, NaN if there was none
   * @throws IllegalArgumentException if samples is negative
   * @throws JGlooException if the group has failed
   */
  public double[] average(long samples, double... metrics) {
    if (samples < 0) {
      throw new IllegalArgumentException("samples must not be negative, but is " + samples);
    }
    double[] sums = Arrays.copyOf(metrics, metrics.length + 1);
    for (int i = 0; i < metrics.length; i++) {
      sums[i] = samples == 0 ? 0 : metrics[i] * samples;
    }
    sums[metrics.length] = samples;
    group.allreduce(sums, ReduceOp.SUM);
    double[] averages = Arrays.copyOf(sums, metrics.length);
    for (int i = 0; i < metrics.length; i++) {
      averages[i] /= sums[metrics.length];
    }
    return averages;
  }
}
