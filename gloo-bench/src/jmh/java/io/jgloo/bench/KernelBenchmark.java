package io.jgloo.bench;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.kernel.Kernels;
import io.jgloo.transport.Reduction;
import io.jgloo.transport.memory.Memory;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Time of one reduction of two vectors, by type and length, with the native library and without it.
 *
 * <p>Bytes divided by nanoseconds are GB/s of vector; the memory moves three times as much.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class KernelBenchmark {

  @Param({"FLOAT32", "FLOAT64", "INT32", "INT64", "FLOAT16", "BFLOAT16"})
  DataType type;

  @Param({"sum"})
  String op;

  @Param({"64", "1024", "65536", "16777216"})
  long bytes;

  private Reduction kernel;
  private long target;
  private long source;

  /** Zeros stay zeros under every operation: no overflow into infinities on the way. */
  @Setup(Level.Trial)
  public void allocate() {
    kernel = Kernels.of(type, ReduceOp.named(op));
    target = Memory.allocate(bytes, Memory.CACHE_LINE);
    source = Memory.allocate(bytes, Memory.CACHE_LINE);
    Memory.setZero(target, bytes);
    Memory.setZero(source, bytes);
  }

  @TearDown(Level.Trial)
  public void free() {
    Memory.free(target);
    Memory.free(source);
  }

  /** What a collective uses where the native library is. */
  @Benchmark
  @Fork(1)
  public void chosen() {
    kernel.reduce(target, source, bytes);
  }

  /** What is left without it. */
  @Benchmark
  @Fork(value = 1, jvmArgsAppend = "-Dio.jgloo.native.enabled=false")
  public void java() {
    kernel.reduce(target, source, bytes);
  }
}
