package io.jgloo.bench;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.memory.Memory;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time of a call before and after its messages: calls of a group of one, that has no rank to
 * send to.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class ExecutorBenchmark {

  private final float[] array = new float[1];
  private HashStore store;
  private ProcessGroup group;
  private long input;
  private long output;
  private Payload x;
  private Payload y;

  @Setup(Level.Trial)
  public void connect() {
    store = new HashStore();
    group =
        ProcessGroup.builder()
            .rank(0)
            .size(1)
            .store(store)
            .device("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1"))
            .connect();
    input = Memory.allocate(Float.BYTES, Memory.CACHE_LINE);
    output = Memory.allocate(Float.BYTES, Memory.CACHE_LINE);
    Memory.putFloat(input, 1);
    x = Payload.ofAddress(input, 1, DataType.FLOAT32, null);
    y = Payload.ofAddress(output, 1, DataType.FLOAT32, null);
  }

  @TearDown(Level.Trial)
  public void close() {
    group.close();
    store.close();
    Memory.free(input);
    Memory.free(output);
  }

  @Benchmark
  public void direct() {
    group.allreduce(x, y, ReduceOp.SUM);
  }

  @Benchmark
  public void heap() {
    group.allreduce(array, ReduceOp.SUM);
  }

  @Benchmark
  public void async() {
    group.async().allreduce(x, y, ReduceOp.SUM).await();
  }

  @Benchmark
  public void barrier() {
    group.barrier();
  }
}
