package io.jgloo.examples.pytorch;

import static org.bytedeco.pytorch.global.torch.mse_loss;

import io.jgloo.rpc.RRef;
import io.jgloo.rpc.RRefs;
import io.jgloo.rpc.RpcAgent;
import io.jgloo.rpc.RpcFunction;
import io.jgloo.rpc.RpcOptions;
import io.jgloo.rpc.RpcRegistry;
import io.jgloo.rpc.codec.Codec;
import io.jgloo.rpc.codec.Codecs;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * A parameter server that updates its weights once for the gradients of all trainers, after
 * PyTorch's tutorial of batch processing by asynchronous executions.
 *
 * <p>Agent 0 has the weights; agents 1 and up train, each on rows of its own.
 */
public final class BatchParameterServer {

  private static final int FEATURES = 8;
  private static final int ROWS = 64;
  private static final int STEPS = 100;
  private static final double RATE = 0.1;

  /** What trainers call. */
  interface Server {
    float[] weights();

    /** Completes with the new weights when all trainers have called it. */
    CompletableFuture<float[]> update(float[] gradient);
  }

  private static final Codec<Server> SERVER = Codecs.local(Server.class);
  private static final RpcFunction<RRef<Server>, Double> TRAIN =
      RpcFunction.of("train", RRefs.codec(SERVER), Codecs.DOUBLE);

  private static final class Model implements Server {
    private final int trainers;
    private final Tensor weights = Tensor.create(new float[FEATURES], FEATURES, 1);
    private final Tensor sum = Tensor.create(new float[FEATURES], FEATURES, 1);
    private CompletableFuture<float[]> next = new CompletableFuture<>();
    private int arrived;

    Model(int trainers) {
      this.trainers = trainers;
    }

    @Override
    public synchronized float[] weights() {
      return Tensors.floats(weights);
    }

    @Override
    @SuppressWarnings("try") // the scope frees what is made in it
    public synchronized CompletableFuture<float[]> update(float[] gradient) {
      CompletableFuture<float[]> updated = next;
      try (PointerScope scope = new PointerScope()) {
        sum.add_(Tensors.matrix(gradient, 1));
        if (++arrived == trainers) {
          weights.sub_(sum, new Scalar(RATE / trainers));
          sum.zero_();
          arrived = 0;
          next = new CompletableFuture<>();
          updated.complete(Tensors.floats(weights));
        }
      }
      return updated;
    }
  }

  private BatchParameterServer() {}

  static RpcRegistry functions() {
    return new RpcRegistry()
        .objects(Server.class)
        .register(TRAIN, (context, server) -> train(context.agent(), server));
  }

  /** Trains; returns the mean of the losses of all trainers at the end. */
  static double lead(RpcAgent agent) {
    int trainers = agent.size() - 1;
    try (RRef<Server> server = agent.rrefs().of(new Model(trainers), SERVER)) {
      List<CompletableFuture<Double>> losses =
          IntStream.rangeClosed(1, trainers)
              .mapToObj(rank -> agent.rpcAsync("worker" + rank, TRAIN, server))
              .toList();
      return losses.stream().mapToDouble(CompletableFuture::join).average().orElseThrow();
    }
  }

  @SuppressWarnings("try") // the scope frees what is made in it
  private static double train(RpcAgent agent, RRef<Server> held) {
    try (RRef<Server> ref = held) {
      Server server = agent.stub(Server.class, ref);
      Tensor x = Tensors.matrix(Tensors.random(agent.rank(), ROWS, FEATURES), FEATURES);
      Tensor y = x.matmul(Tensors.matrix(Tensors.random(0, FEATURES, 1), 1));
      float[] weights = server.weights();
      double loss = 0;
      for (int step = 0; step < STEPS; step++) {
        try (PointerScope scope = new PointerScope()) {
          Tensor w = Tensors.matrix(weights, 1).requires_grad_(true);
          Tensor error = mse_loss(x.matmul(w), y);
          error.backward();
          loss = error.item_float();
          weights = server.update(Tensors.floats(w.grad())).join();
        }
      }
      return loss;
    }
  }

  /** Starts one agent, by the environment of its launcher. */
  public static void main(String[] args) {
    try (RpcAgent agent = RpcAgent.fromEnvironment(RpcOptions.of(functions()))) {
      if (agent.rank() == 0) {
        System.out.println("loss " + lead(agent));
      }
      agent.shutdown();
    }
  }
}
