package io.jgloo.pytorch;

import static org.bytedeco.pytorch.global.torch.randn;
import static org.bytedeco.pytorch.global.torch.relu;
import static org.bytedeco.pytorch.global.torch.set_num_threads;

import io.jgloo.ProcessGroup;
import io.jgloo.transport.DeviceOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.Tensor;

/**
 * Times of a backward pass and the reduction of its 25 MB of gradients by two processes: buckets of
 * 4 MiB sent during the pass, and all buckets after it, by turns.
 *
 * <p>{@code ROUNDS MEMORY} starts the processes, which are called with {@code RANK ROUNDS MEMORY
 * STORE}; memory is the attribute of device tcp. Prints times of rank 0 in milliseconds.
 */
final class StepTimes {

  private static final int LAYERS = 8;
  private static final int WIDTH = 900; // 8 x 900 x 900 floats
  private static final int BATCH = 256;
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  private StepTimes() {}

  private static final class Net extends Module {
    private final LinearImpl[] layers = new LinearImpl[LAYERS];

    Net() {
      for (int i = 0; i < LAYERS; i++) {
        layers[i] = register_module("layer" + i, new LinearImpl(WIDTH, WIDTH));
      }
    }

    Tensor loss(Tensor x) {
      Tensor y = x;
      for (LinearImpl layer : layers) {
        y = relu(layer.forward(y));
      }
      return y.mean();
    }
  }

  public static void main(String[] args) throws Exception {
    if (args.length == 2) {
      start(args[0], args[1]);
      return;
    }
    int rounds = Integer.parseInt(args[1]);
    set_num_threads(1);
    double[] during = new double[rounds];
    double[] after = new double[rounds];
    try (ProcessGroup group =
            ProcessGroup.builder()
                .rank(Integer.parseInt(args[0]))
                .size(2)
                .store(args[3])
                .timeout(PATIENCE)
                .device("tcp", DeviceOptions.DEFAULTS.with("memory", args[2]))
                .connect();
        Net net = new Net();
        TorchDataParallel parallel =
            TorchDataParallel.of(group, net, options -> options.bucketBytes(4 << 20, 1 << 20))) {
      for (int round = -3; round < rounds; round++) { // the first are not counted
        double first = step(group, net, parallel, true);
        double second = step(group, net, parallel, false);
        if (round >= 0) {
          during[round] = first;
          after[round] = second;
        }
      }
      if (group.rank() == 0) {
        print("during the pass", during);
        print("after the pass ", after);
      }
    }
  }

  private static double step(
      ProcessGroup group, Net net, TorchDataParallel parallel, boolean isOverlapped) {
    PointerScope scope = new PointerScope();
    try {
      Tensor loss = net.loss(randn(BATCH, WIDTH));
      group.barrier();
      long start = System.nanoTime();
      if (isOverlapped) {
        loss.backward();
      } else {
        parallel.noSync(loss::backward);
      }
      parallel.finish(PATIENCE);
      return (System.nanoTime() - start) / 1e6;
    } finally {
      scope.close();
    }
  }

  private static void print(String name, double[] millis) {
    double[] sorted = millis.clone();
    Arrays.sort(sorted);
    int quarter = sorted.length / 4;
    System.out.printf(
        Locale.ROOT,
        "%s: median %.1f ms, quartiles %.1f to %.1f%n",
        name,
        sorted[sorted.length / 2],
        sorted[quarter],
        sorted[sorted.length - 1 - quarter]);
  }

  private static void start(String rounds, String memory) throws Exception {
    Path store = Files.createTempDirectory("times");
    List<Process> ranks = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.addAll(List.of(StepTimes.class.getName(), "" + rank, rounds));
      command.addAll(List.of(memory, store.toUri().toString()));
      ranks.add(new ProcessBuilder(command).inheritIO().start());
    }
    for (Process rank : ranks) {
      rank.waitFor();
    }
  }
}
