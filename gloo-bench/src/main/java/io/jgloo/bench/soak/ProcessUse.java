package io.jgloo.bench.soak;

import io.jgloo.bench.process.ProcessFigures;
import io.jgloo.bench.report.SoakReport;
import java.util.ArrayList;
import java.util.List;

/**
 * What a process holds: resident memory, descriptors and threads once a second, and the memory that
 * it reports after collections of its heap.
 *
 * <p><em>Threads</em>: any.
 */
final class ProcessUse {
  private static final int WARM_UP_SHARE = 4;

  private final int number;
  private final long pid;
  private final long start = System.nanoTime();

  /** Seconds, KiB, descriptors, threads. */
  private final List<double[]> samples = new ArrayList<>();

  /** Seconds, KiB of the heap, KiB outside it. */
  private final List<double[]> collected = new ArrayList<>();

  ProcessUse(int number, long pid) {
    this.number = number;
    this.pid = pid;
  }

  /** Takes a sample; none of a process that has ended, or where there is no /proc. */
  synchronized void sample() {
    double seconds = (System.nanoTime() - start) / 1e9;
    ProcessFigures.of(pid)
        .ifPresent(
            now ->
                samples.add(
                    new double[] {seconds, now.residentKib(), now.descriptors(), now.threads()}));
  }

  /** Takes what the process holds after a collection, on the heap and outside it. */
  synchronized void held(long heapKib, long outsideKib) {
    collected.add(new double[] {(System.nanoTime() - start) / 1e9, heapKib, outsideKib});
  }

  /** The slopes by least squares, without the first quarter of the time. */
  synchronized SoakReport.Use report() {
    List<double[]> warm = warm(samples);
    List<double[]> heaps = warm(collected);
    if (warm.isEmpty() || heaps.isEmpty()) {
      return new SoakReport.Use(number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
    double[] last = warm.get(warm.size() - 1);
    double[] heap = heaps.get(heaps.size() - 1);
    return new SoakReport.Use(
        number,
        Math.round(last[0]),
        (long) last[1],
        slope(warm, 1),
        (long) heap[1],
        slope(heaps, 1),
        (long) heap[2],
        slope(heaps, 2),
        (long) last[2],
        slope(warm, 2),
        (long) last[3],
        slope(warm, 3));
  }

  private static List<double[]> warm(List<double[]> samples) {
    return samples.subList(samples.size() / WARM_UP_SHARE, samples.size());
  }

  /** Change per minute. */
  private static double slope(List<double[]> samples, int column) {
    double time = samples.stream().mapToDouble(sample -> sample[0]).average().orElse(0);
    double mean = samples.stream().mapToDouble(sample -> sample[column]).average().orElse(0);
    double above = 0;
    double below = 0;
    for (double[] sample : samples) {
      above += (sample[0] - time) * (sample[column] - mean);
      below += (sample[0] - time) * (sample[0] - time);
    }
    return below == 0 ? 0 : Math.round(60 * above / below * 100) / 100.0;
  }
}
