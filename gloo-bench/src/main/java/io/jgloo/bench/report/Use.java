package io.jgloo.bench.report;

import java.util.Locale;

/**
 * What the ranks of a run took to connect, and what the greatest of their processes holds at the
 * end.
 *
 * @param readySeconds from the start of the first process until the last rank had connected
 * @param connectSeconds from when the last rank began to connect until the last rank had connected
 * @param descriptors open files of a process
 * @param threads of a process
 * @param residentKib resident memory of a process, with what it shares with others
 */
public record Use(
    double readySeconds, double connectSeconds, long descriptors, long threads, long residentKib) {

  /** The line below a table. */
  String line() {
    return String.format(
        Locale.ROOT,
        "ready %.2f s after the start, connected in %.2f s; a process holds at most %d descriptors,"
            + " %d threads and %d MiB",
        readySeconds,
        connectSeconds,
        descriptors,
        threads,
        residentKib >> 10);
  }
}
