package io.jgloo.bench.compare;

import io.jgloo.bench.process.Child;
import io.jgloo.bench.process.Job;
import io.jgloo.bench.report.Sheet;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.kernel.Kernels;
import io.jgloo.transport.Reduction;
import io.jgloo.transport.memory.Memory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How fast two vectors are summed: by Java alone, by what we have, and by a loop in C. */
final class KernelSpeeds {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int BATCHES = 15;
  private static final long BATCH_NANOS = 4_000_000;

  /** More than the second compiler wants to see, in every type. */
  private static final int WARM_CALLS = 30_000;

  private static final long WARM_BYTES = 1024;

  private KernelSpeeds() {}

  /**
   * A row for each type and size, in 10^9 bytes of vector per second: {@code chosen} is what a
   * group computes with here, native where that is there and faster; {@code loop} a plain loop
   * compiled with -O3 for this processor.
   *
   * @param driver of the C loops, or null if it cannot be built here
   */
  static List<Map<String, Object>> measure(List<Long> sizes, Path driver)
      throws IOException, InterruptedException {
    List<String> command = Child.java(KernelSpeeds.class);
    sizes.forEach(bytes -> command.add("" + bytes));
    Map<String, Double> chosen = speeds(command);
    command.add(1, "-Dio.jgloo.native.enabled=false");
    Map<String, Double> java = speeds(command);
    Map<String, Double> loops = new HashMap<>();
    for (long bytes : driver == null ? List.<Long>of() : sizes) {
      loops.putAll(speeds(List.of(driver.toString(), "" + bytes)));
    }
    List<Map<String, Object>> rows = new ArrayList<>();
    for (DataType type : DataType.values()) {
      for (long bytes : ReduceOp.SUM.appliesTo(type) ? sizes : List.<Long>of()) {
        String key = key(type, bytes);
        double loop = loops.getOrDefault(key, 0.0);
        rows.add(
            Sheet.row(
                "type",
                label(type),
                "bytes",
                bytes,
                "java",
                java.get(key),
                "chosen",
                chosen.get(key),
                "loop",
                loop,
                "chosenByLoop",
                loop == 0 ? 0.0 : chosen.get(key) / loop));
      }
    }
    return rows;
  }

  /** Of lines of type, size and nanoseconds; of the C driver, type and nanoseconds. */
  private static Map<String, Double> speeds(List<String> command)
      throws IOException, InterruptedException {
    Map<String, Double> speeds = new HashMap<>();
    for (String line : Job.run(PATIENCE, command)) {
      String[] words = line.split(" ", -1);
      String bytes = words.length > 2 ? words[1] : command.get(command.size() - 1);
      double nanos = Double.parseDouble(words[words.length - 1]);
      speeds.put(words[0] + " " + bytes, Long.parseLong(bytes) / nanos);
    }
    return speeds;
  }

  private static String key(DataType type, long bytes) {
    return label(type) + " " + bytes;
  }

  private static String label(DataType type) {
    return type.name().toLowerCase(Locale.ROOT);
  }

  /** Times sums of vectors of as many bytes as each argument says, in a process of its own. */
  public static void main(String[] arguments) {
    List<Long> sizes = new ArrayList<>();
    long most = WARM_BYTES;
    for (String argument : arguments) {
      sizes.add(Long.parseLong(argument));
      most = Math.max(most, sizes.get(sizes.size() - 1));
    }
    long target = Memory.allocate(most, Memory.CACHE_LINE);
    long source = Memory.allocate(most, Memory.CACHE_LINE);
    Memory.setZero(target, most); // zeros stay zeros, however often they are summed
    Memory.setZero(source, most);
    for (DataType type : DataType.values()) {
      if (ReduceOp.SUM.appliesTo(type)) {
        Reduction kernel = Kernels.of(type, ReduceOp.SUM);
        for (int call = 0; call < WARM_CALLS; call++) {
          kernel.reduce(target, source, WARM_BYTES);
        }
        for (long bytes : sizes) {
          double nanos = nanos(kernel, target, source, bytes);
          System.out.printf(Locale.ROOT, "%s %.1f%n", key(type, bytes), nanos);
        }
      }
    }
    Memory.free(target);
    Memory.free(source);
  }

  /** Of one call, the least of several batches. */
  private static double nanos(Reduction kernel, long target, long source, long bytes) {
    double best = Double.MAX_VALUE;
    long calls = 1;
    for (int batch = 0; batch < BATCHES; batch++) {
      long start = System.nanoTime();
      for (long call = 0; call < calls; call++) {
        kernel.reduce(target, source, bytes);
      }
      double nanos = (System.nanoTime() - start) / (double) calls;
      best = Math.min(best, nanos);
      calls = (long) (BATCH_NANOS / Math.max(1, nanos)) + 1;
    }
    return best;
  }
}
