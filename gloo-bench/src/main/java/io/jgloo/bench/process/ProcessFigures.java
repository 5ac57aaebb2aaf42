package io.jgloo.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a process holds at one time, as Linux counts it.
 *
 * @param descriptors open files
 * @param threads native threads
 * @param residentKib resident memory
 */
public record ProcessFigures(long descriptors, long threads, long residentKib) {

  /** Those of a process; empty if it has ended, or where there is no /proc. */
  public static Optional<ProcessFigures> of(long pid) {
    Path folder = Path.of("/proc/" + pid);
    try (Stream<Path> descriptors = Files.list(folder.resolve("fd"))) {
      long resident = 0;
      long threads = 0;
      for (String line : Files.readAllLines(folder.resolve("status"))) {
        if (line.startsWith("VmRSS:")) {
          resident = number(line);
        } else if (line.startsWith("Threads:")) {
          threads = number(line);
        }
      }
      return resident == 0
          ? Optional.empty()
          : Optional.of(new ProcessFigures(descriptors.count(), threads, resident));
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // it has ended, or ends just now
    }
  }

  private static long number(String line) {
    return Long.parseLong(line.replaceAll("[^0-9]", ""));
  }
}
