package io.jgloo.pytorch;

import static org.bytedeco.pytorch.global.torch.manual_seed;
import static org.bytedeco.pytorch.global.torch.mse_loss;
import static org.bytedeco.pytorch.global.torch.randn;
import static org.bytedeco.pytorch.global.torch.set_num_threads;
import static org.bytedeco.pytorch.global.torch.zeros;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.Ranks;
import io.jgloo.TrainingContract;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.gradient.GradientReducer;
import io.jgloo.transport.MismatchException;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Adam;
import org.bytedeco.pytorch.AdamOptions;
import org.bytedeco.pytorch.BatchNorm1dImpl;
import org.bytedeco.pytorch.BatchNormOptions;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.Optimizer;
import org.bytedeco.pytorch.SGD;
import org.bytedeco.pytorch.SGDOptions;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trains a net by several ranks as by one. */
@Timeout(600)
class TorchDataParallelTest extends TrainingContract {

  private static final Duration LONG = Duration.ofSeconds(60);
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
    private final BatchNorm1dImpl norm =
        register_module("norm", new BatchNorm1dImpl(new BatchNormOptions(8)));
    private final LinearImpl second = register_module("second", new LinearImpl(HIDDEN, 1));

    Tensor forward(Tensor x) {
      return second.forward(first.forward(norm.forward(x)).tanh());
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
                parallel.finish(LONG);
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
              parallel.finish(LONG);
              assertEquals(6, started[0]);
            }
          });
    }
  }

  /** Each rank trains a net of its own, made in order of the ranks. */
  private interface Body {
    void run(ProcessGroup group, int rank, UsedNet net) throws Exception;
  }

  private static UsedNet[] nets(int size) {
    UsedNet[] nets = new UsedNet[size];
    for (int rank = 0; rank < size; rank++) {
      manual_seed(rank + 1);
      nets[rank] = new UsedNet();
    }
    return nets;
  }

  private static void train(int size, Body body) {
    UsedNet[] nets = nets(size);
    try (Ranks ranks = Ranks.of(size)) {
      ranks.each((group, rank) -> body.run(group, rank, nets[rank]));
    }
  }

  private static Tensor batch(int step, int rank) {
    float[] values = new float[5 * 8];
    Random random = new Random(step * 10L + rank);
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return Tensor.create(values, 5, 8);
  }

  private static float[] floats(Tensor tensor) {
    float[] values = new float[(int) tensor.numel()];
    TorchTensors.of(tensor.to(ScalarType.Float)).copyTo(Payload.of(values));
    return values;
  }

  @Test
  void frozenParametersAndBuffers_areThoseOfRank0() {
    float[][] frozen = new float[2][];
    train(
        2,
        (group, rank, net) -> {
          net.first.weight().set_requires_grad(false);
          net.norm.forward(batch(rank, rank)); // another mean, and so on
          if (rank == 1) {
            net.norm.forward(batch(rank, rank));
          }
          float[] mean = floats(net.norm.running_mean());
          TorchDataParallel.of(group, net, builder -> {}).close();
          group.broadcast(mean, 0);
          assertArrayEquals(mean, floats(net.norm.running_mean()));
          assertEquals(1, net.norm.num_batches_tracked().item_long());
          frozen[rank] = floats(net.first.weight());
        });
    assertArrayEquals(frozen[0], frozen[1]);
  }

  @Test
  void accumulatedGradients_areAveragedOnce() {
    train(
        2,
        (group, rank, net) -> {
          TorchDataParallel parallel =
              TorchDataParallel.of(group, net, builder -> builder.bucketBytes(4, 4));
          parallel.noSync(() -> net.forward(batch(0, rank)).sum().backward());
          net.forward(batch(1, rank)).sum().backward();
          parallel.finish(LONG);
          float[] averaged = floats(net.first.weight().grad());
          parallel.close(); // no hooks from here on
          net.zero_grad(true);
          net.forward(batch(0, rank)).sum().backward();
          net.forward(batch(1, rank)).sum().backward();
          float[] sum = floats(net.first.weight().grad());
          group.allreduce(sum, ReduceOp.AVG);
          assertArrayEquals(sum, averaged, 1e-4f);
        });
  }

  @Test
  void parameterUnusedAtOneRank_getsTheAverageOfAll() {
    train(
        2,
        (group, rank, net) -> {
          try (TorchDataParallel parallel = TorchDataParallel.of(group, net, builder -> {})) {
            Tensor hidden = net.first.forward(batch(0, 0));
            (rank == 0 ? net.second.forward(hidden).sum() : hidden.sum()).backward();
            float[] own =
                rank == 0 ? floats(net.second.weight().grad()) : new float[HIDDEN]; // none
            parallel.finish(LONG);
            group.allreduce(own, ReduceOp.AVG);
            assertArrayEquals(own, floats(net.second.weight().grad()), 1e-5f);
            assertTrue(own[0] != 0);
          }
        });
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
            assertEquals(
                "ranks 0 and 1 have unlike models: parameter first.weight of shape [64, 8]"
                    + " (512 float32) at rank 0, parameter first.weight of shape [64, 9]"
                    + " (576 float32) at rank 1",
                e.getMessage());
          });
    }
  }

  @Test
  void layerFrozenAtOneRank_isNamed() {
    train(
        2,
        (group, rank, net) -> {
          net.second.weight().set_requires_grad(rank == 0);
          MismatchException e =
              assertThrows(
                  MismatchException.class, () -> TorchDataParallel.of(group, net, builder -> {}));
          assertEquals(
              "ranks 0 and 1 have unlike models: parameter second.weight of shape [1, 64]"
                  + " (64 float32) at rank 0, buffer second.weight of shape [1, 64]"
                  + " (64 float32) at rank 1",
              e.getMessage());
        });
  }

  @Test
  void gradientThatIsNotContiguous_isNamed_andMayBeReplaced() {
    train(
        2,
        (group, rank, net) -> {
          try (TorchDataParallel parallel = TorchDataParallel.of(group, net, builder -> {})) {
            Tensor weight = net.second.weight();
            if (rank == 0) {
              Tensor strided = zeros(2 * HIDDEN).as_strided(new long[] {1, HIDDEN}, 2 * HIDDEN, 2);
              weight.mutable_grad().put(strided);
            }
            net.second.forward(net.first.forward(batch(0, rank))).sum().backward();
            if (rank == 0) {
              IllegalArgumentException e =
                  assertThrows(IllegalArgumentException.class, () -> parallel.finish(LONG));
              assertEquals(
                  "gradient of second.weight must be contiguous, but its elements are not"
                      + " adjacent; use contiguous()",
                  e.getMessage());
            }
          }
        });
  }

  @Test
  void twoPassesInOneStep_areRefused() {
    train(
        2,
        (group, rank, net) -> {
          try (TorchDataParallel parallel = TorchDataParallel.of(group, net, builder -> {})) {
            net.forward(batch(0, rank)).sum().backward();
            net.forward(batch(1, rank)).sum().backward();
            IllegalStateException e =
                assertThrows(IllegalStateException.class, () -> parallel.finish(LONG));
            assertEquals(
                "gradient of second.bias is computed twice in one step: use noSync for all"
                    + " passes but the last",
                e.getMessage());
          }
        });
  }

  @Test
  void rankOutOfInput_joins() {
    float[][] weights = new float[3][];
    train(
        3,
        (group, rank, net) -> {
          SGD optimizer = new SGD(net.parameters(), new SGDOptions(0.05));
          try (TorchDataParallel parallel =
              TorchDataParallel.of(
                  group, net, builder -> builder.joinable(GradientReducer.Divisor.ACTIVE))) {
            for (int step = 0; step < 2 + 2 * rank; step++) {
              step(parallel, net, optimizer, step, rank);
            }
            assertEquals(2, parallel.core().join(LONG));
          }
          weights[rank] = floats(net.first.weight());
        });
    assertArrayEquals(weights[2], weights[0]);
    assertArrayEquals(weights[2], weights[1]);
  }

  private static void step(
      TorchDataParallel parallel, UsedNet net, Optimizer optimizer, int step, int rank) {
    optimizer.zero_grad();
    net.forward(batch(step, rank)).square().mean().backward();
    parallel.finish(LONG);
    optimizer.step();
  }

  @Test
  void closed_callsOnItsTensorsAreRefused() {
    train(
        2,
        (group, rank, net) -> {
          TorchDataParallel parallel = TorchDataParallel.of(group, net, builder -> {});
          parallel.close();
          IllegalStateException e =
              assertThrows(IllegalStateException.class, () -> parallel.core().broadcast(0));
          assertTrue(e.getMessage().endsWith(" of this payload is closed"), e.getMessage());
        });
  }

  /** The hooks hold it: they still work. */
  @Test
  void droppedWithoutClose_moduleIsStillUsable() {
    train(
        2,
        (group, rank, net) -> {
          PointerScope scope = new PointerScope();
          WeakReference<TorchDataParallel> dropped =
              new WeakReference<>(TorchDataParallel.of(group, net, builder -> {}));
          scope.close(); // all handles that are not retained
          for (int i = 0; i < 10; i++) {
            System.gc();
          }
          assertNotNull(dropped.get());
          for (int step = 0; step < 3; step++) {
            net.zero_grad(true);
            net.forward(batch(step, rank)).sum().backward();
          }
          try (TorchDataParallel next = TorchDataParallel.of(group, net, builder -> {})) {
            net.zero_grad(true);
            net.forward(batch(0, rank)).sum().backward();
            next.finish(LONG);
          }
          float[] own = floats(net.first.weight().grad());
          float[] root = own.clone();
          group.broadcast(root, 0);
          assertArrayEquals(root, own);
        });
  }

  @Override
  protected Training start(ProcessGroup group) {
    UsedNet net = new UsedNet();
    SGD optimizer = new SGD(net.parameters(), new SGDOptions(0.05));
    TorchDataParallel parallel = TorchDataParallel.of(group, net, builder -> {});
    return new Training() {
      @Override
      public void step() {
        TorchDataParallelTest.step(parallel, net, optimizer, 0, group.rank());
      }

      @Override
      public void endEpoch() {
        parallel.core().average(1, 0.5);
      }

      @Override
      public float[] parameters() {
        return floats(net.first.weight());
      }

      @Override
      public void close() {
        parallel.close();
      }
    };
  }

  /**
   * Trains; the values at the end, equal at both ranks.
   *
   * @param collections gets a permit before every tenth step
   */
  private static float[] thousandSteps(Semaphore collections) {
    UsedNet[] nets = nets(2);
    SGD[] optimizers = new SGD[2];
    TorchDataParallel[] parallel = new TorchDataParallel[2];
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            optimizers[rank] = new SGD(nets[rank].parameters(), new SGDOptions(0.01));
            parallel[rank] =
                TorchDataParallel.of(group, nets[rank], builder -> builder.bucketBytes(512, 64));
          });
      for (int ten = 0; ten < 1000; ten += 10) {
        int first = ten;
        collections.release();
        ranks.each(
            (group, rank) -> {
              PointerScope scope = rank == 0 ? new PointerScope() : null; // closes all handles
              for (int step = first; step < first + 10; step++) {
                step(parallel[rank], nets[rank], optimizers[rank], step, rank);
              }
              if (scope != null) {
                scope.close();
              }
            });
      }
      ranks.each((group, rank) -> parallel[rank].close());
    }
    float[] weights = floats(nets[0].first.weight());
    assertArrayEquals(weights, floats(nets[1].first.weight()));
    return weights;
  }

  @Test
  void thousandSteps_areTheSameWithAnAggressiveCollector() throws Exception {
    float[] undisturbed = thousandSteps(new Semaphore(0));
    Semaphore collections = new Semaphore(0);
    Thread collector =
        new Thread(
            () -> {
              for (int i = 0; i < 100; i++) {
                collections.acquireUninterruptibly();
                System.gc();
              }
            });
    collector.setDaemon(true);
    collector.start();
    assertArrayEquals(undisturbed, thousandSteps(collections));
    collector.join();
  }

  /** Trains from a checkpoint, if there is one, to a step, and saves; the values of all ranks. */
  private static List<float[]> resume(Path file, int from, int to) {
    List<List<float[]>> all = new ArrayList<>(Collections.nCopies(2, null));
    train(
        2,
        (group, rank, net) -> {
          Adam optimizer = new Adam(net.parameters(), new AdamOptions(0.01));
          Path own = rank == 0 ? file : Path.of(file + "-1"); // it counts at rank 0 only
          try (TorchDataParallel parallel =
              TorchDataParallel.of(group, net, builder -> builder.checkParameters(1))) {
            int first = (int) parallel.load(own, optimizer) + 1;
            assertEquals(from, first);
            for (int step = first; step < to; step++) {
              step(parallel, net, optimizer, step, rank);
            }
            parallel.save(own, optimizer, to - 1);
            parallel.core().broadcast(0); // the memory is still the tensors'
          }
          List<float[]> values = new ArrayList<>();
          for (Tensor each : net.named_parameters().values().get()) {
            values.add(floats(each));
          }
          values.add(rank == 0 ? floats(net.norm.running_mean()) : values.get(0));
          all.set(rank, values);
        });
    for (int i = 0; i < all.get(0).size() - 1; i++) {
      assertArrayEquals(all.get(0).get(i), all.get(1).get(i));
    }
    return all.get(0);
  }

  @Test
  void trainingThatResumes_hasTheBitsOfOneThatWasNotInterrupted(@TempDir Path folder)
      throws Exception {
    List<float[]> whole = resume(folder.resolve("whole"), 0, 20);
    Path file = folder.resolve("halves");
    resume(file, 0, 10);
    List<float[]> halves = resume(file, 10, 20);
    for (int i = 0; i < whole.size(); i++) {
      assertArrayEquals(whole.get(i), halves.get(i), "value " + i);
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(2, left.count()); // nothing beside the two
    }
  }

  @Test
  void checkpointThatCannotBeWrittenOrRead_failsAtAllRanks(@TempDir Path folder) {
    train(
        2,
        (group, rank, net) -> {
          Adam optimizer = new Adam(net.parameters());
          try (TorchDataParallel parallel = TorchDataParallel.of(group, net, builder -> {})) {
            Path missing = folder.resolve("missing").resolve("file");
            IOException e =
                assertThrows(IOException.class, () -> parallel.save(missing, optimizer, 0));
            assertTrue(e.getMessage().contains(missing.toString()), e.getMessage());
            assertEquals(-1, parallel.load(missing, optimizer));
            assertThrows(IOException.class, () -> parallel.load(folder, optimizer));
            Path file = folder.resolve("file");
            parallel.save(file, optimizer, 7);
            if (rank == 0) {
              Files.createDirectory(folder.resolve("file.part")); // in the way of a new one
            }
            assertThrows(IOException.class, () -> parallel.save(file, optimizer, 8));
            assertEquals(7, parallel.load(file, optimizer));
          }
        });
  }
}
