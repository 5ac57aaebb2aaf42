package io.jgloo.bench.probe;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.bench.Pace;
import io.jgloo.bench.Stopwatch;
import io.jgloo.bench.operation.Vector;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.rendezvous.Context;
import io.jgloo.rendezvous.ContextOptions;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.Device;
import io.jgloo.transport.Mesh;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One rank of a probe, and what all probes need.
 *
 * @param calls to warm up with and to time; 0 for as many as it takes
 * @param arguments of this probe
 */
record Probe(int rank, int size, Store store, Device device, int calls, List<Long> arguments) {
  static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** What a rank does; all ranks do it at the same time. */
  @FunctionalInterface
  interface Task {
    void run(Probe probe) throws Exception;
  }

  /** A full mesh of a group of that name; closing the mesh leaves it. */
  Mesh mesh(String group) {
    ContextOptions options = ContextOptions.DEFAULT.withGroup(group).withTimeout(PATIENCE);
    return new Context(rank, size, options).connectFullMesh(store, device);
  }

  /** A process group on a mesh of its own. */
  ProcessGroup group(String name) {
    return ProcessGroup.over(mesh(name), PATIENCE);
  }

  Pace pace(ProcessGroup group) {
    return Pace.of(group, calls);
  }

  /** Median, 99th percentile and maximum of calls, in nanoseconds. */
  static long[] time(Runnable task, int calls) {
    Stopwatch stopwatch = new Stopwatch(PATIENCE);
    stopwatch.time(task, calls, 1);
    return stopwatch.nanos();
  }

  static Vector floats(long bytes) {
    return Vector.zeros(DataType.FLOAT32, bytes / Float.BYTES);
  }

  /** An allreduce of a vector in place. */
  static Runnable allreduce(ProcessGroup group, Vector vector) {
    Payload payload = vector.payload();
    return () -> group.allreduce(payload, ReduceOp.SUM);
  }

  /**
   * A line as the peers' drivers print it.
   *
   * @param nanos median, 99th percentile and maximum of the calls
   */
  static String exchange(long bytes, int calls, long[] nanos) {
    return String.format(
        Locale.ROOT,
        "exchange %d %d %.3f %.3f %.3f",
        bytes,
        calls,
        nanos[0] / 1e3,
        nanos[1] / 1e3,
        nanos[2] / 1e3);
  }

  /** Prints a line, once for all ranks. */
  void print(String line) {
    if (rank == 0) {
      System.out.println(line);
    }
  }

  /** Prints a row of a table as a line of JSON, once for all ranks. */
  void print(Map<String, Object> row) {
    try {
      print(MAPPER.writeValueAsString(row));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
