package io.jgloo.bench.probe;

import io.jgloo.ProcessGroup;
import io.jgloo.bench.operation.Vector;
import io.jgloo.bench.report.Sheet;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.Mesh;

/**
 * What a full mesh and an allreduce cost with that many ranks.
 *
 * <p>Arguments: sizes in bytes. Prints a row for each: the milliseconds of the slowest rank from
 * entering the rendezvous to the full mesh, and per rank and call: messages are the mean of all
 * ranks, bytes, with the headers, and system calls those of the busiest.
 */
final class GrowthProbe implements Probe.Task {
  @Override
  public void run(Probe probe) {
    try (ProcessGroup entrance = probe.group("gate")) { // a late rank is not slow to connect
      entrance.barrier();
      long start = System.nanoTime();
      Mesh mesh = probe.mesh("grown");
      long[] connect = {System.nanoTime() - start};
      try (ProcessGroup group = ProcessGroup.over(mesh, Probe.PATIENCE)) {
        group.allreduce(connect, ReduceOp.MAX);
        for (long bytes : probe.arguments()) {
          measure(probe, mesh, group, bytes, connect[0] / 1e6);
        }
      }
      entrance.barrier(); // no rank leaves before all are done
    }
  }

  private static void measure(
      Probe probe, Mesh mesh, ProcessGroup group, long bytes, double connectMillis) {
    try (Vector vector = Probe.floats(bytes)) {
      Runnable call = Probe.allreduce(group, vector);
      int calls = probe.pace(group).warmUp(call);
      group.barrier();
      long[] before = counters(mesh);
      long p50 = Probe.time(call, calls)[0];
      long[] most = counters(mesh);
      for (int i = 0; i < most.length; i++) {
        most[i] -= before[i];
      }
      long[] sum = {most[0], p50};
      group.allreduce(most, ReduceOp.MAX);
      group.allreduce(sum, ReduceOp.SUM);
      probe.print(
          Sheet.row(
              "connectMillis", connectMillis,
              "bytes", bytes,
              "p50Us", sum[1] / 1e3 / probe.size(),
              // a message is a request to send and one to receive
              "messages", sum[0] / 2.0 / calls / probe.size(),
              "bytesSent", (double) most[1] / calls,
              "writes", (double) most[2] / calls,
              "reads", (double) most[3] / calls));
    }
  }

  private static long[] counters(Mesh mesh) {
    return new long[] {
      mesh.counters().get("requests"),
      mesh.counters().get("bytesOut"),
      mesh.counters().get("writes"),
      mesh.counters().get("reads")
    };
  }
}
