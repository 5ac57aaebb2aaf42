package io.jgloo.examples;

import io.jgloo.ProcessGroup;
import io.jgloo.transport.DeviceOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Trains on a LIBSVM file as one of several ranks.
 *
 * <p>{@code Train RANK SIZE STORE FILE STEPS [HOST]}. STORE is {@code file:///folder}, a folder
 * that all ranks share, or {@code tcp://host:port}. HOST selects the network: the rank listens
 * where packets leave for that host. {@code examples/run} starts all ranks on one machine.
 */
public final class Train {

  private static final double RATE = 0.5;

  private Train() {}

  /** Prints the result of the training, and a hash of the bits of the model. */
  public static void main(String[] args) throws IOException {
    if (args.length < 5 || args.length > 6) {
      throw new IllegalArgumentException("arguments must be RANK SIZE STORE FILE STEPS [HOST]");
    }
    DeviceOptions options = DeviceOptions.DEFAULTS;
    if (args.length == 6) {
      options = options.with("reach", args[5]);
    }
    List<LibsvmFile.Row> rows = LibsvmFile.read(Path.of(args[3]));
    try (ProcessGroup group =
        ProcessGroup.builder()
            .rank(Integer.parseInt(args[0]))
            .size(Integer.parseInt(args[1]))
            .store(args[2])
            .connectTimeout(Duration.ofSeconds(60))
            .device("tcp", options)
            .connect()) {
      LogisticRegression training =
          new LogisticRegression(group, rows, LibsvmFile.features(rows), RATE);
      double loss = Double.NaN;
      for (int step = 0; step < Integer.parseInt(args[4]); step++) {
        loss = training.step();
      }
      System.out.println(
          String.format(
              Locale.ROOT,
              "rank %d of %d: loss %.17g, accuracy %.4f, model %016x",
              group.rank(),
              group.size(),
              loss,
              training.accuracy(),
              bits(training.model())));
    }
  }

  /** A hash; models with the same bits have the same one. */
  static long bits(double[] model) {
    long[] bits = Arrays.stream(model).mapToLong(Double::doubleToLongBits).toArray();
    long hash = 1125899906842597L;
    for (long each : bits) {
      hash = (hash ^ each) * 0x100000001b3L;
      hash ^= hash >>> 29;
    }
    return hash;
  }
}
