package io.jgloo.bench.probe;

import io.jgloo.ProcessGroup;
import io.jgloo.bench.Pace;
import io.jgloo.bench.operation.Vector;
import io.jgloo.transport.Buffer;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Pair;
import io.jgloo.transport.Request;
import io.jgloo.transport.Slot;

/**
 * Both of two ranks send and receive a message over a bare pair: what an allreduce of a few bytes
 * cannot be faster than.
 *
 * <p>Arguments: sizes in bytes. Prints what the peers' drivers print.
 */
final class ExchangeProbe implements Probe.Task {
  private static final long SLOT = Slot.of(Slot.USER, 7);

  @Override
  public void run(Probe probe) {
    try (Mesh bare = probe.mesh("bare");
        ProcessGroup group = probe.group("agreement")) {
      Pace pace = probe.pace(group); // the first size compiles everything, and warms up longer
      for (long bytes : probe.arguments()) {
        try (Exchange exchange = new Exchange(bare, bytes)) {
          int calls = pace.warmUp(exchange);
          group.barrier();
          long[] nanos = Probe.time(exchange, calls);
          probe.print(Probe.exchange(bytes, calls, nanos));
        }
      }
      group.barrier();
    }
  }

  private static final class Exchange implements Runnable, AutoCloseable {
    private final long bytes;
    private final Mesh mesh;
    private final Pair pair;
    private final CompletionQueue queue;
    private final Request send;
    private final Request recv;
    private final Vector out;
    private final Vector in;
    private final Buffer outBuffer;
    private final Buffer inBuffer;

    Exchange(Mesh mesh, long bytes) {
      this.mesh = mesh;
      this.bytes = bytes;
      pair = mesh.pair(1 - mesh.rank());
      queue = mesh.newQueue();
      send = queue.newRequest();
      recv = queue.newRequest();
      out = Probe.floats(bytes);
      in = Probe.floats(bytes);
      outBuffer = mesh.newBuffer().wrap(out.address(), bytes, out);
      inBuffer = mesh.newBuffer().wrap(in.address(), bytes, in);
    }

    @Override
    public void run() {
      pair.recv(recv.message(SLOT, inBuffer, 0, bytes));
      pair.send(send.message(SLOT, outBuffer, 0, bytes));
      for (int ended = 0; ended < 2; ) {
        Request request = queue.poll();
        if (request == null) {
          queue.await(mesh.clock().nanoTime() + Probe.PATIENCE.toNanos());
        } else if (request.failure() != null) {
          throw request.failure();
        } else {
          ended++;
        }
      }
    }

    @Override
    public void close() {
      outBuffer.close();
      inBuffer.close();
      out.close();
      in.close();
    }
  }
}
