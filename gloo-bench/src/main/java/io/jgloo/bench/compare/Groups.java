package io.jgloo.bench.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Several groups of two ranks at once, each used by a thread of its own. */
final class Groups {

  /**
   * One number of groups at one size.
   *
   * @param p50Us of the slowest group
   * @param callsPerSecond of all groups together
   */
  record Line(int groups, long bytes, double p50Us, double callsPerSecond) {}

  private Groups() {}

  static List<Line> measure(List<Integer> counts, List<Long> sizes, String congestion, int millis)
      throws IOException, InterruptedException {
    List<Line> lines = new ArrayList<>();
    for (int count : counts) {
      ProbeRun run = ProbeRun.of("groups", congestion).with(count).with(millis);
      for (long bytes : sizes) {
        run = run.with(bytes);
      }
      for (String line : run.processes(2)) {
        String[] words = line.split(" ", -1);
        lines.add(
            new Line(
                Integer.parseInt(words[0]),
                Long.parseLong(words[1]),
                Double.parseDouble(words[2]),
                Double.parseDouble(words[3])));
      }
    }
    return lines;
  }
}
