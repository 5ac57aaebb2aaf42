package io.jgloo.bench.probe;

import com.sun.management.ThreadMXBean;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.memory.Memory;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Allreduces of several sizes and barriers without a pause, and what they leave behind.
 *
 * <p>Arguments: seconds, samples. Rank 0 says, that many times, {@code seconds calls
 * allocated_bytes threads collections resident_kib descriptors}: all but the last three since the
 * beginning, allocated by its own thread. The first fifth of the time is warming up, and not told.
 */
final class LoadProbe implements Probe {

  private static final long[] SIZES = {4, 64, 4 << 10, 64 << 10, 1 << 20};
  private static final int CALLS_BETWEEN_LOOKS = 200;
  private static final int WARM_UP_SHARE = 5;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Override
  public void run(Place place) throws IOException {
    long nanos = place.number(0) * 1_000_000_000;
    List<Vector> vectors = new ArrayList<>();
    for (long bytes : SIZES) {
      vectors.add(new Vector(bytes));
    }
    try (ProcessGroup group = ProcessGroup.over(place.mesh("load"), Place.PATIENCE);
        Vector vote = new Vector(Float.BYTES)) {
      work(place, group, vectors, vote, nanos / WARM_UP_SHARE);
      long samples = place.number(1);
      say(place, 0, 0, 0);
      long start = System.nanoTime();
      long allocated = threads.getCurrentThreadAllocatedBytes();
      long calls = 0;
      for (long sample = 0; sample < samples; sample++) {
        calls += work(place, group, vectors, vote, (nanos - nanos / WARM_UP_SHARE) / samples);
        double seconds = (System.nanoTime() - start) / 1e9;
        // What telling allocates is not the load's: taken before, and started anew after.
        long own = threads.getCurrentThreadAllocatedBytes() - allocated;
        say(place, seconds, calls, own);
        allocated = threads.getCurrentThreadAllocatedBytes() - own;
      }
    } finally {
      vectors.forEach(Vector::close);
    }
  }

  /** Calls until rank 0's time is up; how many. */
  private static long work(
      Place place, ProcessGroup group, List<Vector> vectors, Vector vote, long nanos) {
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
      Memory.putFloat(vote.address(), place.rank() == 0 && over ? 1 : 0);
      group.broadcast(vote.payload(), 0);
    } while (Memory.getFloat(vote.address()) == 0);
    return calls;
  }

  private void say(Place place, double seconds, long calls, long allocated) throws IOException {
    if (place.rank() == 0) {
      place.say(
          "%.1f %d %d %d %d %d %d",
          seconds,
          calls,
          allocated,
          threads.getThreadCount(),
          ManagementFactory.getGarbageCollectorMXBeans().stream()
              .mapToLong(GarbageCollectorMXBean::getCollectionCount)
              .sum(),
          residentKib(),
          descriptors());
    }
  }

  private static long residentKib() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
          .sum();
    }
  }

  private static long descriptors() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.count();
    }
  }
}
