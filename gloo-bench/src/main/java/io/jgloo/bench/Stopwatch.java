package io.jgloo.bench;

import io.jgloo.bench.operation.Trial;
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
final class Stopwatch {

  private static final int DIGITS = 3;
  private static final double NANOS_PER_MICRO = 1000;
  private static final double MILLIS_PER_SECOND = 1000;

  private final Histogram histogram;
  private long calls;

  /**
   * @param longest that a call can take
   */
  Stopwatch(Duration longest) {
    histogram = new Histogram(Math.max(2, 2 * longest.toNanos()), DIGITS);
  }

  /** Times a trial anew. */
  void time(Trial trial, int iterations, int ways) {
    histogram.reset();
    histogram.setStartTimeStamp(System.currentTimeMillis());
    long before = System.nanoTime();
    for (int call = 0; call < iterations; call++) {
      trial.call();
      long now = System.nanoTime();
      histogram.recordValue((now - before) / ways);
      before = now;
    }
    histogram.setEndTimeStamp(System.currentTimeMillis());
    calls = trial.timed() ? iterations : 0;
  }

  /** Median, 99th percentile and maximum; zeros where calls are not worth timing. */
  long[] nanos() {
    return calls == 0
        ? new long[3]
        : new long[] {
          histogram.getValueAtPercentile(50),
          histogram.getValueAtPercentile(99),
          histogram.getMaxValue()
        };
  }

  /** Writes what was timed as a histogram log of nanoseconds. */
  void log(Path file, String tag) throws FileNotFoundException {
    if (calls == 0) {
      return;
    }
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
