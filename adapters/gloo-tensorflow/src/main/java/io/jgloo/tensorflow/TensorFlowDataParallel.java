package io.jgloo.tensorflow;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.gradient.DataParallel;
import io.jgloo.transport.JGlooException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.tensorflow.Graph;
import org.tensorflow.GraphOperation;
import org.tensorflow.Operand;
import org.tensorflow.Output;
import org.tensorflow.Result;
import org.tensorflow.Session;
import org.tensorflow.Tensor;
import org.tensorflow.framework.optimizers.Optimizer;
import org.tensorflow.framework.optimizers.Optimizer.GradAndVar;
import org.tensorflow.op.Op;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Placeholder;
import org.tensorflow.types.family.TType;

/**
 * Minimizes the loss of a graph of TensorFlow with gradients that are averaged over all ranks.
 *
 * <pre>{@code
 * try (TensorFlowDataParallel parallel =
 *         new TensorFlowDataParallel(group, new Adam(graph), loss, options -> {});
 *     Session session = new Session(graph)) {
 *   session.initialize();
 *   parallel.start(session);
 *   for (...) {
 *     try (Result result = parallel.step(session, runner -> runner.feed(x, rows).fetch(loss))) {
 *       ...
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>In place of {@code optimizer.minimize(loss)}: a step computes gradients in one run of the
 * session, and applies their averages in a second one. What Adam counts is updated in a third:
 * {@code minimize} does both at once, in an order that is not defined.
 *
 * <p><em>Threads</em>: one at a time. <em>Owns</em>: a tensor in host memory for the gradient of
 * each variable. <em>Fails</em>: like the group's calls.
 */
public final class TensorFlowDataParallel implements AutoCloseable {

  /** The group's timeout bounds each call. */
  private static final Duration UNLIMITED = Duration.ofDays(1);

  /**
   * A variable of the graph.
   *
   * @param input for new values of the variable, and for its averaged gradient
   */
  private record Variable<T extends TType>(Output<T> output, Operand<T> input, Op assign) {

    static <T extends TType> Variable<T> of(Ops tf, Output<T> output) {
      Operand<T> input = tf.placeholder(output.type(), Placeholder.shape(output.shape()));
      return new Variable<>(output, input, tf.assign(output, input));
    }

    String name() {
      return output.op().name();
    }
  }

  private final ProcessGroup group;
  private final Consumer<DataParallel.Builder> options;
  private final List<Variable<?>> trained = new ArrayList<>();
  private final List<Output<?>> gradients = new ArrayList<>(); // of those that are trained
  private final List<Variable<?>> others = new ArrayList<>();
  private final List<Tensor> averages = new ArrayList<>();
  private final List<GraphOperation> updates = new ArrayList<>();
  private final List<GraphOperation> assignments = new ArrayList<>();
  private @Nullable DataParallel parallel;

  /**
   * Adds the optimizer to its graph, before the session is initialized.
   *
   * @param optimizer of the graph with the loss; the same at all ranks
   * @param loss average of the batch of a rank
   * @param options size of buckets, compression, hook and so on. Ranks cannot join; {@code
   *     checkParameters} compares the averaged gradients, because parameters are in the session
   * @throws IllegalArgumentException if the loss depends on no variable
   */
  public TensorFlowDataParallel(
      ProcessGroup group,
      Optimizer optimizer,
      Operand<?> loss,
      Consumer<DataParallel.Builder> options) {
    this.group = group;
    this.options = options;
    Graph graph = (Graph) optimizer.getTF().scope().env();
    Ops tf = Ops.create(graph).withSubScope("data_parallel");
    List<GradAndVar<? extends TType>> replaced = new ArrayList<>();
    for (GradAndVar<?> each : optimizer.computeGradients(loss)) {
      if (!each.getGradient().isClosed()) {
        replaced.add(replace(tf, each));
      }
    }
    if (replaced.isEmpty()) {
      throw new IllegalArgumentException("loss must depend on a variable of the optimizer's graph");
    }
    order((GraphOperation) optimizer.applyGradients(replaced, "data_parallel_apply").op());
    addOthers(tf, graph);
  }

  /**
   * Divides the operations of the optimizer: Adam's {@code ApplyAdam} reads powers of beta that an
   * {@code Assign} of the same step changes, and nothing in the graph says which comes first, so
   * that ranks would differ.
   */
  private void order(GraphOperation all) {
    for (GraphOperation each : all.controlInputs()) {
      (each.type().startsWith("Assign") ? assignments : updates).add(each);
    }
  }

  /** The average of a gradient in place of the gradient. */
  private <T extends TType> GradAndVar<T> replace(Ops tf, GradAndVar<T> each) {
    Variable<T> variable = Variable.of(tf, each.getVariable());
    trained.add(variable);
    gradients.add(each.getGradient());
    return new GradAndVar<>(variable.input.asOutput(), each.getVariable());
  }

  /** Variables that the loss does not depend on, such as the optimizer's. */
  private void addOthers(Ops tf, Graph graph) {
    Set<String> found = new HashSet<>();
    List<Output<?>> outputs = new ArrayList<>();
    trained.forEach(each -> found.add(each.name()));
    for (Iterator<GraphOperation> all = graph.operations(); all.hasNext(); ) {
      GraphOperation operation = all.next();
      if (operation.type().equals(Optimizer.VARIABLE_V2) && !found.contains(operation.name())) {
        outputs.add(operation.output(0));
      }
    }
    outputs.forEach(each -> others.add(Variable.of(tf, each)));
  }

  /**
   * Compares the variables of all ranks and makes their values those of rank 0: parameters, state
   * of the optimizer, and any other. Before the first step, and after a checkpoint is restored.
   *
   * @param session initialized, of the optimizer's graph
   * @throws IllegalArgumentException if a variable has a type that JGloo has not
   * @throws io.jgloo.transport.MismatchException at all ranks if the variables of a rank differ;
   *     names the first difference
   * @throws JGlooException if the group has failed
   */
  public void start(Session session) {
    close();
    DataParallel.Builder builder = DataParallel.over(group);
    List<Tensor> state = new ArrayList<>();
    try {
      for (Variable<?> each : trained) {
        Tensor values = load(session, each);
        averages.add(values);
        builder.parameter(each.name(), TensorFlowTensors.of(values), values.shape().asArray());
      }
      for (Variable<?> each : others) {
        Tensor values = load(session, each);
        state.add(values);
        builder.buffer(each.name(), TensorFlowTensors.of(values), values.shape().asArray());
      }
      options.accept(builder);
      parallel = builder.build();
      Session.Runner runner = session.runner();
      feed(runner, trained, averages);
      feed(runner, others, state);
      trained.forEach(each -> runner.addTarget(each.assign));
      others.forEach(each -> runner.addTarget(each.assign));
      runner.run().close();
    } finally {
      state.forEach(Tensor::close);
    }
  }

  /** A copy: what a session returns can be the memory of the variable. */
  private static Tensor load(Session session, Variable<?> variable) {
    try (Result result = session.runner().fetch(variable.output).run()) {
      Tensor current = result.get(0);
      Tensor copy = Tensor.of(variable.output.type(), current.shape());
      TensorFlowTensors.of(current).copyTo(TensorFlowTensors.of(copy));
      return copy;
    }
  }

  private static void feed(Session.Runner runner, List<Variable<?>> variables, List<Tensor> all) {
    for (int i = 0; i < all.size(); i++) {
      runner.feed(variables.get(i).input, all.get(i));
    }
  }

  /**
   * Does one step: computes the gradients of this rank, averages them over all ranks, and applies
   * the averages.
   *
   * @param inputs feeds the batch of this rank, and fetches what the program wants
   * @return what the program fetched, and then the gradients of this rank; to be closed
   * @throws IllegalStateException if {@link #start} was not called
   * @throws JGlooException if the group has failed; variables are then as before the step
   */
  public Result step(Session session, Consumer<Session.Runner> inputs) {
    DataParallel all = core();
    Session.Runner runner = session.runner();
    inputs.accept(runner);
    gradients.forEach(runner::fetch);
    Result result = runner.run();
    try {
      int first = result.size() - averages.size();
      for (int i = averages.size() - 1; i >= 0; i--) {
        Payload average = TensorFlowTensors.of(averages.get(i));
        TensorFlowTensors.of(result.get(first + i)).copyTo(average); // may be a constant's memory
        all.ready(i, average);
      }
      all.finish(UNLIMITED);
      Session.Runner second = session.runner();
      feed(second, trained, averages);
      updates.forEach(second::addTarget);
      second.run().close();
      if (!assignments.isEmpty()) {
        Session.Runner third = session.runner();
        assignments.forEach(third::addTarget);
        third.run().close();
      }
    } catch (RuntimeException e) {
      result.close();
      throw e;
    }
    return result;
  }

  /**
   * Averages metrics over the samples of all ranks, see {@link DataParallel#average}.
   *
   * @throws IllegalStateException if {@link #start} was not called
   */
  public double[] average(long samples, double... metrics) {
    return core().average(samples, metrics);
  }

  private DataParallel core() {
    DataParallel started = parallel;
    if (started == null) {
      throw new IllegalStateException("call start(session) after session.initialize()");
    }
    return started;
  }

  /** Frees the tensors. */
  @Override
  public void close() {
    parallel = null;
    averages.forEach(Tensor::close);
    averages.clear();
  }
}
