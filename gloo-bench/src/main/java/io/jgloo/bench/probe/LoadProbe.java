package io.jgloo.bench.probe;

import com.sun.management.ThreadMXBean;
import io.jgloo.ProcessGroup;
import io.jgloo.bench.operation.Vector;
import io.jgloo.bench.process.ProcessFigures;
import io.jgloo.bench.report.Sheet;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.memory.Memory;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Allreduces of several sizes and barriers without a pause, and what they leave behind.
 *
 * <p>Arguments: seconds, samples. Rank 0 prints that many rows: seconds, calls and the bytes its
 * thread allocated since the beginning, collections since the process began, and what the process
 * holds then. The first fifth of the time is warming up, and is not reported.
 */
final class LoadProbe implements Probe.Task {

  private static final long[] SIZES = {4, 64, 4 << 10, 64 << 10, 1 << 20};
  private static final int CALLS_BETWEEN_LOOKS = 200;
  private static final int WARM_UP_SHARE = 5;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Override
  public void run(Probe probe) {
    long nanos = probe.arguments().get(0) * 1_000_000_000;
    List<Vector> vectors = new ArrayList<>();
    for (long bytes : SIZES) {
      vectors.add(Probe.floats(bytes));
    }
    try (ProcessGroup group = probe.group("load");
        Vector vote = Probe.floats(Float.BYTES)) {
      work(probe, group, vectors, vote, nanos / WARM_UP_SHARE);
      long samples = probe.arguments().get(1);
      print(probe, 0, 0, 0);
      long start = System.nanoTime();
      long allocated = threads.getCurrentThreadAllocatedBytes();
      long calls = 0;
      for (long sample = 0; sample < samples; sample++) {
        calls += work(probe, group, vectors, vote, (nanos - nanos / WARM_UP_SHARE) / samples);
        double seconds = (System.nanoTime() - start) / 1e9;
        // What printing allocates is not the load's: taken before, and started anew after.
        long own = threads.getCurrentThreadAllocatedBytes() - allocated;
        print(probe, seconds, calls, own);
        allocated = threads.getCurrentThreadAllocatedBytes() - own;
      }
    } finally {
      vectors.forEach(Vector::close);
    }
  }

  /** Calls until rank 0's time is up; how many. */
  private static long work(
      Probe probe, ProcessGroup group, List<Vector> vectors, Vector vote, long nanos) {
    long end = System.nanoTime() + nanos;
    long calls = 0;
    do {
      for (int i = 0; i < CALLS_BETWEEN_LOOKS; i++) {
        // Small sizes mostly: the longest takes as long as a hundred of the others.
        int which = i % 100 == 99 ? vectors.size() - 1 : i % (vectors.size() - 1);
        group.allreduce(vectors.get(which).payload(), ReduceOp.SUM);
      }
      group.barrier();
      calls += CALLS_BETWEEN_LOOKS + 1;
      boolean over = System.nanoTime() - end >= 0;
      Memory.putFloat(vote.address(), probe.rank() == 0 && over ? 1 : 0);
      group.broadcast(vote.payload(), 0);
    } while (Memory.getFloat(vote.address()) == 0);
    return calls;
  }

  private void print(Probe probe, double seconds, long calls, long allocated) {
    if (probe.rank() == 0) {
      ProcessFigures held = ProcessFigures.of(ProcessHandle.current().pid()).orElseThrow();
      probe.print(
          Sheet.row(
              "seconds", Math.round(10 * seconds) / 10.0,
              "calls", calls,
              "allocated", allocated,
              "threads", threads.getThreadCount(),
              "collections",
                  ManagementFactory.getGarbageCollectorMXBeans().stream()
                      .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                      .sum(),
              "residentKib", held.residentKib(),
              "descriptors", held.descriptors()));
    }
  }
}
