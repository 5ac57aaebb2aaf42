package io.jgloo.bench.probe;

import io.jgloo.ProcessGroup;
import io.jgloo.bench.operation.Vector;
import io.jgloo.bench.report.Sheet;
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
 * <p>Arguments: number of groups, then sizes in bytes. Prints a row for each size: the median of
 * the slowest group and the calls of all.
 */
final class GroupsProbe implements Probe.Task {
  @Override
  public void run(Probe probe) throws Exception {
    int count = Math.toIntExact(probe.arguments().get(0));
    List<ProcessGroup> groups = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(count);
    try {
      for (int i = 0; i < count; i++) {
        groups.add(probe.group("group-" + i));
      }
      for (long bytes : probe.arguments().subList(1, probe.arguments().size())) {
        measure(probe, groups, threads, bytes);
      }
    } finally {
      threads.shutdown();
      groups.forEach(ProcessGroup::close);
    }
  }

  private static void measure(
      Probe probe, List<ProcessGroup> groups, ExecutorService threads, long bytes)
      throws Exception {
    int calls;
    try (Vector vector = Probe.floats(bytes)) {
      // The first group's ranks agree on the calls for all: groups of the same size are equal.
      ProcessGroup first = groups.get(0);
      calls = probe.pace(first).warmUp(Probe.allreduce(first, vector));
    }
    CyclicBarrier start = new CyclicBarrier(groups.size() + 1);
    List<Future<long[]>> futures = new ArrayList<>();
    for (ProcessGroup group : groups) {
      futures.add(threads.submit(work(probe, group, bytes, calls, start)));
    }
    start.await();
    long began = System.nanoTime();
    long[] slowest = {0};
    for (Future<long[]> future : futures) {
      slowest[0] = Math.max(slowest[0], future.get()[0]);
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    groups.get(0).allreduce(slowest, ReduceOp.MAX);
    probe.print(
        Sheet.row(
            "groups",
            groups.size(),
            "bytes",
            bytes,
            "p50Us",
            slowest[0] / 1e3,
            "callsPerSecond",
            (double) Math.round(calls * groups.size() / seconds)));
  }

  private static Callable<long[]> work(
      Probe probe, ProcessGroup group, long bytes, int calls, CyclicBarrier start) {
    return () -> {
      try (Vector vector = Probe.floats(bytes)) {
        Runnable call = Probe.allreduce(group, vector);
        probe.pace(group).warmUp(call); // beside the others
        start.await();
        return Probe.time(call, calls);
      }
    };
  }
}
