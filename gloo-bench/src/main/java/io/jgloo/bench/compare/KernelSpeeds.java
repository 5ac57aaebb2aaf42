package io.jgloo.bench.compare;

import io.jgloo.bench.Jvm;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How fast two vectors are summed: by Java alone, by what we have, and by a loop in C. */
final class KernelSpeeds {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /**
   * One type at one size, in 10^9 bytes of vector per second.
   *
   * @param chosen what a group computes with here: native where that is there and faster
   * @param loop a plain loop compiled with -O3 for this processor; 0 if there is none
   */
  record Line(String type, long bytes, double java, double chosen, double loop) {}

  private KernelSpeeds() {}

  /**
   * @param driver of the C loops, or null if it cannot be built here
   */
  static List<Line> measure(List<Long> sizes, Path driver)
      throws IOException, InterruptedException {
    Map<String, Double> java = probe(sizes, List.of("-Dio.jgloo.native.enabled=false"));
    Map<String, Double> chosen = probe(sizes, List.of());
    Map<String, Double> loops = new HashMap<>();
    for (long bytes : driver == null ? List.<Long>of() : sizes) {
      for (String line : Job.run(PATIENCE, List.of(driver.toString(), "" + bytes))) {
        String[] words = line.split(" ", -1);
        loops.put(words[0] + " " + bytes, bytes / Double.parseDouble(words[1]));
      }
    }
    List<Line> lines = new ArrayList<>();
    for (DataType type : DataType.values()) {
      for (long bytes : ReduceOp.SUM.appliesTo(type) ? sizes : List.<Long>of()) {
        String key = KernelProbe.label(type) + " " + bytes;
        double loop = loops.getOrDefault(key, 0.0);
        lines.add(new Line(KernelProbe.label(type), bytes, java.get(key), chosen.get(key), loop));
      }
    }
    return lines;
  }

  private static Map<String, Double> probe(List<Long> sizes, List<String> flags)
      throws IOException, InterruptedException {
    List<String> command = Jvm.command(KernelProbe.class);
    command.addAll(1, flags);
    sizes.forEach(bytes -> command.add("" + bytes));
    Map<String, Double> speeds = new HashMap<>();
    for (String line : Job.run(PATIENCE, command)) {
      String[] words = line.split(" ", -1);
      long bytes = Long.parseLong(words[1]);
      speeds.put(words[0] + " " + bytes, bytes / Double.parseDouble(words[2]));
    }
    return speeds;
  }
}
