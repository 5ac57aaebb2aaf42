package io.jgloo.bench;

import io.jgloo.transport.Address;
import io.jgloo.transport.Buffer;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Pair;
import io.jgloo.transport.Request;
import io.jgloo.transport.Slot;
import io.jgloo.transport.memory.Memory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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

/** Time of a message there and back over a bare pair, between two threads, on the loopback. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class PairBenchmark {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long SLOT = Slot.of(Slot.USER, 1);

  @Param({"4", "1024", "65536", "1048576"})
  long bytes;

  private End ping;
  private End pong;
  private CompletableFuture<Void> echo;

  /** One rank: its device, and one request on a buffer. */
  private static final class End {
    private final Device device =
        Devices.open("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1"));
    private final int rank;
    private final long bytes;
    private final long address;
    private final Mesh mesh;
    private CompletionQueue queue;
    private Request request;
    private Buffer buffer;
    private Pair pair;

    End(int rank, long bytes) {
      this.rank = rank;
      this.bytes = bytes;
      address = Memory.allocate(bytes, Memory.CACHE_LINE);
      Memory.setZero(address, bytes);
      mesh = device.newMesh(new Membership("benchmark", 0, rank, 2));
    }

    void connect(List<Address> addresses) {
      mesh.connect(addresses, PATIENCE);
      queue = mesh.newQueue();
      request = queue.newRequest();
      buffer = mesh.newBuffer().wrap(address, bytes, null);
      pair = mesh.pair(1 - rank);
    }

    void send() {
      pair.send(request.message(SLOT, buffer, 0, bytes));
      finish();
    }

    void recv() {
      pair.recv(request.message(SLOT, buffer, 0, bytes));
      finish();
    }

    private void finish() {
      while (queue.poll() == null) {
        queue.await(mesh.clock().nanoTime() + PATIENCE.toNanos());
      }
      if (request.state() != Request.State.DONE) {
        throw request.failure();
      }
    }

    void close() {
      mesh.close();
      device.close();
      Memory.free(address);
    }
  }

  @Setup(Level.Trial)
  public void connect() {
    ping = new End(0, bytes);
    pong = new End(1, bytes);
    List<Address> addresses = List.of(ping.mesh.address(), pong.mesh.address());
    echo =
        CompletableFuture.runAsync(
            () -> {
              pong.connect(addresses);
              echo(pong);
            });
    ping.connect(addresses);
  }

  /** Until the first byte is not zero. */
  private static void echo(End pong) {
    do {
      pong.recv();
      pong.send();
    } while (Memory.getByte(pong.address) == 0);
  }

  @TearDown(Level.Trial)
  public void close() {
    Memory.putByte(ping.address, (byte) 1);
    roundTrip();
    echo.join();
    ping.close();
    pong.close();
  }

  @Benchmark
  public void roundTrip() {
    ping.send();
    ping.recv();
  }
}
