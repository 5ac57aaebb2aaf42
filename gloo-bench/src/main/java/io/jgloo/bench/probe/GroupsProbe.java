package io.jgloo.bench.probe;

import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Several groups of the same ranks at work at once, each used by a thread of its own.
 *
 * <p>Arguments: number of groups, milliseconds per size, then sizes in bytes. Says {@code groups
 * bytes p50_us calls_per_second}, the median of the slowest group and the calls of all.
 */
final class GroupsProbe implements Probe {

  @Override
  public void run(Place place) throws Exception {
    int count = (int) place.number(0);
    List<ProcessGroup> groups = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(count);
    try {
      for (int i = 0; i < count; i++) {
        groups.add(ProcessGroup.over(place.mesh("group-" + i), Place.PATIENCE));
      }
      for (int i = 2; i < place.arguments().size(); i++) {
        measure(place, groups, threads, place.number(i));
      }
    } finally {
      threads.shutdown();
      groups.forEach(ProcessGroup::close);
    }
  }

  private static void measure(
      Place place, List<ProcessGroup> groups, ExecutorService threads, long bytes)
      throws Exception {
    // The first group's ranks agree on the calls for all: groups of the same size are equal.
    int calls = agree(groups.get(0), bytes, place.number(1));
    CyclicBarrier start = new CyclicBarrier(groups.size() + 1);
    List<Future<Times>> futures = new ArrayList<>();
    for (ProcessGroup group : groups) {
      futures.add(threads.submit(work(group, bytes, place.number(1), calls, start)));
    }
    start.await();
    long began = System.nanoTime();
    double slowest = 0;
    for (Future<Times> future : futures) {
      slowest = Math.max(slowest, future.get().p50Us());
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    long[] tenths = {Math.round(10 * slowest)};
    groups.get(0).allreduce(tenths, ReduceOp.MAX);
    place.say(
        "%d %d %.1f %.0f",
        groups.size(), bytes, tenths[0] / 10.0, (long) calls * groups.size() / seconds);
  }

  private static int agree(ProcessGroup group, long bytes, long millis) {
    try (Vector vector = new Vector(bytes)) {
      return Times.agreedCalls(
          group, () -> group.allreduce(vector.payload(), ReduceOp.SUM), millis);
    }
  }

  private static Callable<Times> work(
      ProcessGroup group, long bytes, long millis, int calls, CyclicBarrier start) {
    return () -> {
      try (Vector vector = new Vector(bytes)) {
        Runnable call = () -> group.allreduce(vector.payload(), ReduceOp.SUM);
        Times.agreedCalls(group, call, millis); // warms this group up, beside the others
        start.await();
        return Times.of(call, calls);
      }
    };
  }
}
