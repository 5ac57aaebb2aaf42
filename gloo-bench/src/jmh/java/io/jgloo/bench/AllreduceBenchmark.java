package io.jgloo.bench;

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

/** Time of an allreduce between two threads over the loopback, blocking and as started work. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class AllreduceBenchmark {

  @Param({"4", "4096", "65536", "1048576", "16777216"})
  long bytes;

  private TwoRanks ranks;

  @Setup(Level.Trial)
  public void connect() {
    ranks = new TwoRanks(bytes);
  }

  @TearDown(Level.Trial)
  public void close() {
    ranks.close();
  }

  @Benchmark
  public void blocking() {
    ranks.allreduce();
  }

  @Benchmark
  public void async() {
    ranks.allreduceAsync();
  }
}
