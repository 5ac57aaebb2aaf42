package io.jgloo.bench;

import java.io.FileNotFoundException;
import java.nio.file.Path;
import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The times of one rank's calls, one by one and back to back, in nanoseconds.
 *
 * <p>One clock reading per call: the end of one is the beginning of the next.
 */
public final class Stopwatch {

  private static final int DIGITS = 3;
  private static final double NANOS_PER_MICRO = 1000;
  private static final double MILLIS_PER_SECOND = 1000;
  private static final int KEPT = 1 << 16;

  private final Histogram histogram;

  /**
   * @param longest that a call can take
   */
  public Stopwatch(Duration longest) {
    histogram = new Histogram(Math.max(2, 2 * longest.toNanos()), DIGITS);
  }

  /**
   * Times calls anew.
   *
   * @param ways by which a time is divided: 2 where a call goes there and back
   */
  public void time(Runnable task, int iterations, int ways) {
    histogram.reset();
    histogram.setStartTimeStamp(System.currentTimeMillis());
    long[] nanos = new long[Math.min(iterations, KEPT)];
    for (int left = iterations; left > 0; left -= nanos.length) {
      int calls = Math.min(left, nanos.length);
      time(task, nanos, calls);
      for (int call = 0; call < calls; call++) {
        histogram.recordValue(nanos[call] / ways);
      }
    }
    histogram.setEndTimeStamp(System.currentTimeMillis());
  }

  /** Calls between two readings of the clock, with only a store: recording takes 15 ns. */
  private static void time(Runnable task, long[] nanos, int calls) {
    long before = System.nanoTime();
    for (int call = 0; call < calls; call++) {
      task.run();
      long now = System.nanoTime();
      nanos[call] = now - before;
      before = now;
    }
  }

  /** Median, 99th percentile and maximum. */
  public long[] nanos() {
    return new long[] {
      histogram.getValueAtPercentile(50),
      histogram.getValueAtPercentile(99),
      histogram.getMaxValue()
    };
  }

  /** Writes what was timed as a histogram log of nanoseconds. */
  void log(Path file, String tag) throws FileNotFoundException {
    histogram.setTag(tag);
    HistogramLogWriter log = new HistogramLogWriter(file.toFile());
    try {
      log.outputComment("[times of one rank's calls in nanoseconds; maxima in microseconds]");
      log.outputLogFormatVersion();
      log.outputStartTime(histogram.getStartTimeStamp());
      log.setBaseTime(histogram.getStartTimeStamp());
      log.outputLegend();
      double start = 0;
      double end =
          (histogram.getEndTimeStamp() - histogram.getStartTimeStamp()) / MILLIS_PER_SECOND;
      log.outputIntervalHistogram(start, end, histogram, NANOS_PER_MICRO);
    } finally {
      log.close();
    }
  }
}
