package io.jgloo.pytorch;

import static org.bytedeco.pytorch.global.torch.manual_seed;
import static org.bytedeco.pytorch.global.torch.mse_loss;
import static org.bytedeco.pytorch.global.torch.randn;
import static org.bytedeco.pytorch.global.torch.set_num_threads;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.Payload;
import io.jgloo.Ranks;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.MismatchException;
import java.time.Duration;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.SGD;
import org.bytedeco.pytorch.SGDOptions;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trains a net by several ranks as by one. */
@Timeout(300)
class TorchDataParallelTest {

  private static final int STEPS = 50;
  private static final int BATCH = 24; // of all ranks
  private static final int HIDDEN = 64;

  /** A net with a layer that no pass uses. */
  private static final class Net extends Module {
    private final LinearImpl first;
    private final LinearImpl second = register_module("second", new LinearImpl(HIDDEN, 1));

    Net(int inputs) {
      first = register_module("first", new LinearImpl(inputs, HIDDEN));
      register_module("unused", new LinearImpl(3, 3));
    }

    Tensor forward(Tensor x) {
      return second.forward(first.forward(x).tanh());
    }
  }

  private static final class UsedNet extends Module {
    private final LinearImpl first = register_module("first", new LinearImpl(8, HIDDEN));
    private final LinearImpl second = register_module("second", new LinearImpl(HIDDEN, 1));

    Tensor forward(Tensor x) {
      return second.forward(first.forward(x).tanh());
    }
  }

  @BeforeAll
  static void limitThreads() {
    set_num_threads(1);
  }

  private static float[] train(int size) {
    Net[] nets = new Net[size];
    for (int rank = 0; rank < size; rank++) {
      manual_seed(rank + 1); // each starts with other parameters
      nets[rank] = new Net(8);
    }
    manual_seed(99);
    Tensor inputs = randn(BATCH, 8);
    Tensor targets = randn(BATCH, 1);
    float[] losses = new float[STEPS];
    float[][] weights = new float[size][8 * HIDDEN];
    int own = BATCH / size;
    try (Ranks ranks = Ranks.of(size)) {
      ranks.each(
          (group, rank) -> {
            Net net = nets[rank];
            SGD optimizer = new SGD(net.parameters(), new SGDOptions(0.05));
            try (TorchDataParallel parallel =
                TorchDataParallel.of(group, net, builder -> builder.bucketBytes(64, 64))) {
              for (int step = 0; step < STEPS; step++) {
                optimizer.zero_grad();
                Tensor loss =
                    mse_loss(
                        net.forward(inputs.narrow(0, (long) rank * own, own)),
                        targets.narrow(0, (long) rank * own, own));
                loss.backward();
                parallel.finish(Duration.ofSeconds(60));
                optimizer.step();
                double mean = parallel.core().average(own, loss.item_float())[0];
                if (rank == 0) {
                  losses[step] = (float) mean;
                }
              }
            }
            TorchTensors.of(net.first.weight()).copyTo(Payload.of(weights[rank]));
          });
    }
    for (float[] each : weights) {
      assertArrayEquals(weights[0], each); // in bits
    }
    return losses;
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void losses_areThoseOfOneRank(int size) {
    float[] alone = train(1);
    float[] together = train(size);
    for (int step = 0; step < STEPS; step++) {
      assertEquals(alone[step], together[step], 1e-5 * alone[step], "step " + step);
    }
    assertTrue(together[STEPS - 1] < together[0]);
  }

  @Test
  void buckets_startDuringTheBackwardPass_unlessGradientsAreAccumulated() {
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            UsedNet net = new UsedNet();
            int[] started = new int[1];
            try (TorchDataParallel parallel =
                TorchDataParallel.of(
                    group,
                    net,
                    builder ->
                        builder
                            .bucketBytes(4, 4)
                            .bucketHook(
                                (same, bucket) -> {
                                  started[0]++;
                                  return same.async().allreduce(bucket, ReduceOp.AVG);
                                }))) {
              parallel.noSync(() -> net.forward(randn(5, 8)).sum().backward());
              assertEquals(0, started[0]);
              net.forward(randn(5, 8)).sum().backward();
              assertTrue(started[0] >= 1, "buckets that started in the pass: " + started[0]);
              parallel.finish(Duration.ofSeconds(60));
              assertEquals(4, started[0]);
            }
          });
    }
  }

  @Test
  void otherModule_isNamed() {
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            Net net = new Net(8 + rank);
            MismatchException e =
                assertThrows(
                    MismatchException.class, () -> TorchDataParallel.of(group, net, builder -> {}));
            assertTrue(
                e.getMessage().contains("first.weight of shape [64, 9] (576 float32) at rank 1"),
                e.getMessage());
          });
    }
  }

  @Test
  void tensorsWithoutAdjacentElements_areRefused() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> TorchTensors.of(randn(3, 4).transpose(0, 1)));
    assertTrue(e.getMessage().contains("contiguous()"), e.getMessage());
    assertThrows(IllegalArgumentException.class, () -> TorchTensors.of(new Tensor()));
  }
}
