package io.jgloo.bench.probe;

import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.Mesh;

/**
 * What a full mesh and an allreduce cost with that many ranks.
 *
 * <p>Arguments: milliseconds per size, then sizes in bytes. Says {@code connect milliseconds}, that
 * of the slowest rank from entering the rendezvous on; then, for each size, {@code allreduce bytes
 * p50_us messages bytes_sent writes reads} per rank and call: messages are the mean of all ranks,
 * bytes, with the headers, and system calls those of the busiest.
 */
final class GrowthProbe implements Probe {

  @Override
  public void run(Place place) {
    try (Mesh gate = place.mesh("gate")) { // who comes late must not count as slow to connect
      ProcessGroup entrance = ProcessGroup.over(gate, Place.PATIENCE);
      entrance.barrier();
      long start = System.nanoTime();
      Mesh mesh = place.mesh("grown");
      long[] micros = {(System.nanoTime() - start) / 1000};
      try (ProcessGroup group = ProcessGroup.over(mesh, Place.PATIENCE)) {
        group.allreduce(micros, ReduceOp.MAX);
        place.say("connect %.2f", micros[0] / 1e3);
        for (int i = 1; i < place.arguments().size(); i++) {
          measure(place, mesh, group, place.number(i));
        }
      }
      entrance.barrier(); // nobody leaves before all have spoken
      entrance.close();
    }
  }

  private static void measure(Place place, Mesh mesh, ProcessGroup group, long bytes) {
    try (Vector vector = new Vector(bytes)) {
      Runnable call = () -> group.allreduce(vector.payload(), ReduceOp.SUM);
      int calls = Times.agreedCalls(group, call, place.number(0));
      group.barrier();
      long[] before = counters(mesh);
      Times times = Times.of(call, calls);
      long[] most = counters(mesh);
      for (int i = 0; i < most.length; i++) {
        most[i] -= before[i];
      }
      long[] sum = {most[0], Math.round(100 * times.p50Us())};
      group.allreduce(most, ReduceOp.MAX);
      group.allreduce(sum, ReduceOp.SUM);
      double mean = (double) calls * place.size();
      place.say(
          "allreduce %d %.2f %.2f %.1f %.2f %.2f",
          bytes,
          sum[1] / 100.0 / place.size(),
          sum[0] / 2.0 / mean, // a message is a request to send and one to receive
          (double) most[1] / calls,
          (double) most[2] / calls,
          (double) most[3] / calls);
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
