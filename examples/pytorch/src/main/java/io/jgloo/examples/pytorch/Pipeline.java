package io.jgloo.examples.pytorch;

import static org.bytedeco.pytorch.global.torch.mse_loss;

import io.jgloo.rpc.RRef;
import io.jgloo.rpc.RRefs;
import io.jgloo.rpc.RpcAgent;
import io.jgloo.rpc.RpcFunction;
import io.jgloo.rpc.RpcMethod;
import io.jgloo.rpc.RpcOptions;
import io.jgloo.rpc.RpcRegistry;
import io.jgloo.rpc.codec.Codec;
import io.jgloo.rpc.codec.Codecs;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.bytedeco.pytorch.Tensor;

/**
 * A model of two stages at two agents, after PyTorch's tutorial of pipeline parallelism by RPC.
 *
 * <p>Agent 0 cuts a batch into micro-batches. What a stage makes of one goes to the next stage by
 * reference, so that agent 0 moves only ids, and the stages work on different micro-batches. In
 * place of distributed autograd each stage keeps input and output of a micro-batch until the
 * gradient of the output comes back, and returns the gradient of the input.
 */
public final class Pipeline {

  static final int FEATURES = 6;
  static final int HIDDEN = 5;
  static final int ROWS = 32;
  static final int STEPS = 30;
  static final double RATE = 0.2;
  private static final int MICRO_BATCHES = 4;

  /** What a stage is called with. */
  record Part(long microBatch, RRef<float[]> values) {}

  private static final Codec<Part> PART =
      Codecs.record(MethodHandles.lookup(), Part.class, Codecs.LONG, RRefs.codec(Codecs.FLOATS));
  private static final Codec<Stage> STAGE = Codecs.local(Stage.class);
  private static final RpcFunction.Of2<Integer, Integer, Stage> NEW =
      RpcFunction.of("stage", Codecs.INT, Codecs.INT, STAGE);
  private static final RpcMethod<Stage, Part, float[]> FORWARD =
      new RpcMethod<>("forward", STAGE, PART, Codecs.FLOATS);
  private static final RpcMethod<Stage, Part, float[]> BACKWARD =
      new RpcMethod<>("backward", STAGE, PART, Codecs.FLOATS);
  private static final RpcMethod<Stage, Double, Void> STEP =
      new RpcMethod<>("step", STAGE, Codecs.DOUBLE, Codecs.NOTHING);

  /** tanh(x w), with what the way back needs. */
  private static final class Stage {
    private final int inputs;
    private final int outputs;
    private final Tensor weights;
    private final Map<Long, Tensor> inputsOf = new ConcurrentHashMap<>();
    private final Map<Long, Tensor> outputsOf = new ConcurrentHashMap<>();

    Stage(int inputs, int outputs) {
      this.inputs = inputs;
      this.outputs = outputs;
      weights = weights(inputs, outputs);
    }

    private static float[] fetch(Part part) {
      try (RRef<float[]> values = part.values) {
        return values.toHere();
      }
    }

    float[] forward(Part part) {
      Tensor x = Tensors.matrix(fetch(part), inputs).requires_grad_(true);
      Tensor y = x.matmul(weights).tanh();
      inputsOf.put(part.microBatch, x);
      outputsOf.put(part.microBatch, y);
      return Tensors.floats(y);
    }

    float[] backward(Part part) {
      Tensor gradient = Tensors.matrix(fetch(part), outputs);
      synchronized (this) { // the gradient of the weights is a sum
        outputsOf.remove(part.microBatch).mul(gradient).sum().backward();
      }
      return Tensors.floats(inputsOf.remove(part.microBatch).grad());
    }

    synchronized Void step(double rate) {
      Tensors.step(weights, rate);
      return null;
    }
  }

  private Pipeline() {}

  static RpcRegistry functions() {
    return new RpcRegistry()
        .register(NEW, Stage::new)
        .register(FORWARD, Stage::forward)
        .register(BACKWARD, Stage::backward)
        .register(STEP, Stage::step);
  }

  static Tensor weights(int inputs, int outputs) {
    float[] values = Tensors.random(inputs, inputs, outputs);
    return Tensors.matrix(values, outputs).requires_grad_(true);
  }

  /** Trains; returns the losses of the steps. */
  static List<Double> lead(RpcAgent agent) {
    float[] x = Tensors.random(1, ROWS, FEATURES);
    List<Double> losses = new ArrayList<>();
    try (RRef<Stage> first = agent.remote("worker1", NEW.call(FEATURES, HIDDEN));
        RRef<Stage> second = agent.remote("worker2", NEW.call(HIDDEN, 1))) {
      for (int step = 0; step < STEPS; step++) {
        List<CompletableFuture<float[]>> outputs = new ArrayList<>();
        for (int i = 0; i < MICRO_BATCHES; i++) {
          outputs.add(pass(agent, part(x, i), i, first, second, FORWARD));
        }
        List<CompletableFuture<float[]>> ends = new ArrayList<>();
        double loss = 0;
        for (int i = 0; i < MICRO_BATCHES; i++) {
          Tensor z = Tensors.matrix(outputs.get(i).join(), 1).requires_grad_(true);
          Tensor error = mse_loss(z, target(part(x, i)));
          error.backward();
          loss += error.item_float() / MICRO_BATCHES;
          ends.add(pass(agent, Tensors.floats(z.grad()), i, second, first, BACKWARD));
        }
        ends.forEach(CompletableFuture::join);
        var updated = first.rpcAsync(STEP, RATE / MICRO_BATCHES);
        second.rpcSync(STEP, RATE / MICRO_BATCHES);
        updated.join();
        losses.add(loss);
      }
    }
    return losses;
  }

  /** Sends values through both stages. Each closes its reference when it has fetched the values. */
  private static CompletableFuture<float[]> pass(
      RpcAgent agent,
      float[] values,
      long microBatch,
      RRef<Stage> one,
      RRef<Stage> other,
      RpcMethod<Stage, Part, float[]> method) {
    try (RRef<float[]> in = agent.rrefs().of(values, Codecs.FLOATS);
        RRef<float[]> between = one.remote(method, new Part(microBatch, in))) {
      return other.rpcAsync(method, new Part(microBatch, between));
    }
  }

  private static float[] part(float[] values, int microBatch) {
    int length = values.length / MICRO_BATCHES;
    return Arrays.copyOfRange(values, microBatch * length, (microBatch + 1) * length);
  }

  /** What the model is to learn: tanh of the first value of each row. */
  static Tensor target(float[] rows) {
    float[] values = new float[rows.length / FEATURES];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.tanh(rows[i * FEATURES]);
    }
    return Tensors.matrix(values, 1);
  }

  /** Starts one of three agents, by the environment of its launcher. */
  public static void main(String[] args) {
    try (RpcAgent agent = RpcAgent.fromEnvironment(RpcOptions.of(functions()))) {
      if (agent.rank() == 0) {
        System.out.println("losses " + lead(agent));
      }
      agent.shutdown();
    }
  }
}
