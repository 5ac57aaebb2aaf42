package io.jgloo.transport.tcp;

import io.jgloo.transport.engine.CreditRoute;
import io.jgloo.transport.engine.Outgoing;
import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.tcp.wire.Frame;
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

/** Time to write a frame's header, and to read and check it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class FrameBenchmark {

  private final Outgoing frame = new Outgoing();
  private long header;
  private long slot;

  @Setup(Level.Trial)
  public void allocate() {
    header = Memory.allocate(Frame.BYTES, Memory.CACHE_LINE);
    frame.opcode = Frame.EAGER;
    frame.length = 4096;
    frame.fingerprintHigh = 7;
    frame.fingerprintLow = 11;
    encode();
  }

  @TearDown(Level.Trial)
  public void free() {
    Memory.free(header);
  }

  @Benchmark
  public void encode() {
    frame.slot = ++slot;
    Frame.write(header, frame, 13);
  }

  /** The sum keeps every field from being left out. */
  @Benchmark
  public long decode() {
    return Frame.opcode(header)
        + CreditRoute.slot(header)
        + CreditRoute.length(header)
        + CreditRoute.fingerprintHigh(header)
        + CreditRoute.fingerprintLow(header)
        + CreditRoute.credit(header);
  }
}
