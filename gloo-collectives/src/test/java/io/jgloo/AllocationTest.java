package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call of a shape that was called before allocates nothing on the calling thread. */
@Timeout(120)
class AllocationTest {

  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private interface Call {
    void make(ProcessGroup group, int rank);
  }

  private final Payload[] direct = {Payload.of(floats(1000)), Payload.of(floats(1000))};

  @Test
  void arraysOnSockets() {
    float[][] x = new float[2][100_000];
    Payload[] from = {Payload.of(x[0]), Payload.of(x[1])};
    Payload[] to = {Payload.of(new float[100_000]), Payload.of(new float[100_000])};
    DeviceOptions sockets = DeviceOptions.DEFAULTS.with("memory", "off");
    measure(
        "allreduce of a float[100000] over sockets, in place and to another",
        300,
        () -> Ranks.on(Devices.open("tcp", sockets), 2, Duration.ofSeconds(30)),
        (group, rank) -> {
          group.allreduce(x[rank], ReduceOp.MAX);
          group.allreduce(from[rank], to[rank], ReduceOp.SUM);
        });
  }

  @Test
  void shapesInTurn() {
    double[][] x = new double[2][16];
    float[][] y = new float[2][1000];
    measure(
        "broadcast, barrier and allreduces of an array and a buffer in turn",
        1000,
        (group, rank) -> {
          group.broadcast(x[rank], 1);
          group.barrier();
          group.allreduce(y[rank], ReduceOp.MAX);
          group.allreduce(direct[rank], ReduceOp.MIN);
        });
  }

  @Test
  void narrowedAndZeros() {
    Payload[] narrowed = {
      Payload.of(new float[10_000]).narrowed(DataType.BFLOAT16),
      Payload.of(floats(10_000)).narrowed(DataType.BFLOAT16)
    };
    Payload zeros = Payload.zeros(DataType.FLOAT32, 1000);
    Payload own = direct[1];
    measure(
        "narrowed vectors, and zeros at a rank, in turn",
        1000,
        (group, rank) -> {
          group.allreduce(narrowed[rank], ReduceOp.SUM);
          group.allreduce(rank == 0 ? zeros : own, ReduceOp.SUM);
        });
  }

  @Test
  void averagesFactorsAndFunctions() {
    float[][] x = new float[2][1000];
    long[][] pairs = new long[2][64];
    ReduceOp half = ReduceOp.premulSum(0.5);
    measure(
        "averages, factors and functions in turn",
        1000,
        (group, rank) -> {
          group.allreduce(x[rank], ReduceOp.AVG);
          group.allreduce(direct[rank], half);
          group.allreduce(pairs[rank], Elements.COMPOSE);
        });
  }

  @Test
  void everyOtherCollective() {
    double[][] x = new double[2][32];
    double[][] y = new double[2][16];
    double[][] z = new double[2][32];
    Payload[] whole = {Payload.of(x[0]), Payload.of(x[1])};
    Payload[] part = {Payload.of(y[0]), Payload.of(y[1])};
    Payload[] blocks = {Payload.of(new int[5]), Payload.of(new int[5])};
    Payload[] joined = {
      Payload.ofAll(List.of(Payload.of(new int[2]), Payload.of(new int[7]))),
      Payload.ofAll(List.of(Payload.of(new int[8]), Payload.of(new int[1])))
    };
    long[] counts = {2, 3};
    measure(
        "the other collectives in turn",
        500,
        (group, rank) -> {
          group.allgather(y[rank], x[rank]);
          group.alltoall(x[rank], z[rank]);
          group.gather(part[rank], rank == 0 ? whole[rank] : null, 0);
          group.scatter(rank == 1 ? whole[rank] : null, part[rank], 1);
          group.reduce(x[rank], ReduceOp.MAX, 1);
          group.reduceScatter(x[rank], y[rank], ReduceOp.MAX);
          group.scan(blocks[rank], ReduceOp.MIN);
          group.exscan(blocks[rank], ReduceOp.MIN);
          group.allgatherv(blocks[rank], counts);
          group.reduceScatterv(blocks[rank], counts, ReduceOp.MIN);
          group.allreduce(joined[rank], ReduceOp.MIN);
        });
  }

  private static void measure(String what, int calls, Call call) {
    measure(what, calls, () -> Ranks.of(2), call);
  }

  /**
   * Takes the least of some rounds of a tenth of the calls: a lock that another thread holds just
   * then costs a wait node, 32 bytes, which says nothing about calls, and a busy machine compiles
   * late. The ranks agree on when to end.
   */
  private static void measure(String what, int calls, Supplier<Ranks> opened, Call call) {
    long[] allocated = {Long.MAX_VALUE, Long.MAX_VALUE};
    try (Ranks ranks = opened.get()) {
      ranks.each(
          (group, rank) -> {
            repeat(calls, call, group, rank);
            long start = System.nanoTime();
            for (long[] again = {1}; again[0] > 0; group.allreduce(again, ReduceOp.MAX)) {
              long thread = Thread.currentThread().getId();
              long before = THREADS.getThreadAllocatedBytes(thread);
              repeat(calls / 10, call, group, rank);
              long after = THREADS.getThreadAllocatedBytes(thread);
              allocated[rank] = Math.min(allocated[rank], after - before);
              boolean over = allocated[rank] == 0 || System.nanoTime() - start > MOST_NANOS;
              again[0] = over ? 0 : 1;
            }
          });
    }
    System.out.printf(
        "%,d x %s: %d and %d bytes allocated on the calling threads%n",
        calls / 10, what, allocated[0], allocated[1]);
    assertEquals(0, allocated[0], "bytes allocated at rank 0");
    assertEquals(0, allocated[1], "bytes allocated at rank 1");
  }

  private static void repeat(int calls, Call call, ProcessGroup group, int rank) {
    for (int i = 0; i < calls; i++) {
      call.make(group, rank);
    }
  }

  private static FloatBuffer floats(int count) {
    return ByteBuffer.allocateDirect(4 * count).order(ByteOrder.nativeOrder()).asFloatBuffer();
  }
}
