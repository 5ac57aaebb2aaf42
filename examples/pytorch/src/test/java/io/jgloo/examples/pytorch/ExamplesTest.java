package io.jgloo.examples.pytorch;

import static org.bytedeco.pytorch.global.torch.mse_loss;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rpc.RpcAgent;
import io.jgloo.rpc.RpcOptions;
import io.jgloo.rpc.RpcRegistry;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.transport.DeviceOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The programs, all agents in one JVM: processes that unpack PyTorch's library at once are killed.
 */
@Timeout(300)
class ExamplesTest {

  private static <T> T run(int size, Supplier<RpcRegistry> functions, Function<RpcAgent, T> lead)
      throws Exception {
    DeviceOptions device = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1");
    try (HashStore store = new HashStore()) {
      List<CompletableFuture<T>> agents = new ArrayList<>();
      for (int each = 0; each < size; each++) {
        int rank = each;
        RpcOptions options =
            RpcOptions.builder()
                .functions(functions.get())
                .messenger(MessengerOptions.builder().device("tcp", device).build())
                .build();
        agents.add(
            CompletableFuture.supplyAsync(
                () -> {
                  try (RpcAgent agent =
                      RpcAgent.start("worker" + rank, rank, size, store, options)) {
                    T result = rank == 0 ? lead.apply(agent) : null;
                    assertTrue(agent.shutdown());
                    return result;
                  }
                },
                task -> new Thread(task).start()));
      }
      for (CompletableFuture<T> agent : agents) {
        agent.get(200, TimeUnit.SECONDS);
      }
      return agents.get(0).get();
    }
  }

  @Test
  void parameterServer_learnsTheWeights() throws Exception {
    double loss = run(4, BatchParameterServer::functions, BatchParameterServer::lead);
    assertTrue(loss < 1e-4, () -> "loss " + loss);
  }

  @Test
  void pipeline_trainsAsOneProcessDoes() throws Exception {
    List<Double> losses = run(3, Pipeline::functions, Pipeline::lead);
    float[] rows = Tensors.random(1, Pipeline.ROWS, Pipeline.FEATURES);
    Tensor x = Tensors.matrix(rows, Pipeline.FEATURES);
    Tensor first = Pipeline.weights(Pipeline.FEATURES, Pipeline.HIDDEN);
    Tensor second = Pipeline.weights(Pipeline.HIDDEN, 1);
    for (double loss : losses) {
      Tensor z = x.matmul(first).tanh().matmul(second).tanh();
      Tensor error = mse_loss(z, Pipeline.target(rows));
      error.backward();
      assertEquals(error.item_float(), loss, 1e-4);
      Tensors.step(first, Pipeline.RATE);
      Tensors.step(second, Pipeline.RATE);
    }
    assertTrue(losses.get(Pipeline.STEPS - 1) < losses.get(0) / 2, losses::toString);
  }
}
