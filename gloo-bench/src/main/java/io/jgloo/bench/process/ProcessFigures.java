package io.jgloo.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What a process holds at one time, as Linux counts it.
 *
 * @param descriptors open files
 * @param threads native threads
 * @param residentKib resident memory
 */
public record ProcessFigures(long descriptors, long threads, long residentKib) {
  public static final ProcessFigures NONE = new ProcessFigures(0, 0, 0);

  /** Those of a process; {@link #NONE} if it has ended, or where there is no /proc. */
  public static ProcessFigures of(long pid) {
    Path folder = Path.of("/proc/" + pid);
    try (Stream<Path> descriptors = Files.list(folder.resolve("fd"))) {
      String status = Files.readString(folder.resolve("status"));
      return new ProcessFigures(
          descriptors.count(), number(status, "Threads:"), number(status, "VmRSS:"));
    } catch (IOException | RuntimeException e) {
      return NONE; // it has ended, or ends just now
    }
  }

  private static long number(String status, String name) {
    return Long.parseLong(status.split(name, 2)[1].trim().split("\\s", 2)[0]);
  }
}
