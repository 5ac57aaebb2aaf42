package io.jgloo.bench.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What a process holds while it works without a pause. */
final class Load {

  private static final int SAMPLES = 6;

  /**
   * One look at rank 0, a process of its own.
   *
   * @param calls since the first look
   * @param allocated bytes on the heap since the first look, by the thread that calls
   * @param threads alive
   * @param collections of the heap since the process began
   * @param residentKib memory of the process
   * @param descriptors open files and sockets
   */
  record Line(
      double seconds,
      long calls,
      long allocated,
      long threads,
      long collections,
      long residentKib,
      long descriptors) {}

  private Load() {}

  static List<Line> measure(int seconds, String congestion)
      throws IOException, InterruptedException {
    List<Line> lines = new ArrayList<>();
    ProbeRun run = ProbeRun.of("load", congestion).with(seconds).with(SAMPLES);
    for (String line : run.processes(2)) {
      String[] words = line.split(" ", -1);
      lines.add(
          new Line(
              Double.parseDouble(words[0]),
              Long.parseLong(words[1]),
              Long.parseLong(words[2]),
              Long.parseLong(words[3]),
              Long.parseLong(words[4]),
              Long.parseLong(words[5]),
              Long.parseLong(words[6])));
    }
    return lines;
  }
}
