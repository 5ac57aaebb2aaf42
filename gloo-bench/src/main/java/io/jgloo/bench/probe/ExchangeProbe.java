package io.jgloo.bench.probe;

import io.jgloo.ProcessGroup;
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
 * <p>Arguments: milliseconds per size, then sizes in bytes.
 */
final class ExchangeProbe implements Probe {

  /** The first size compiles everything: that much longer it warms up, as an allreduce's does. */
  private static final long COLD = 7;

  private static final long SLOT = Slot.of(Slot.USER, 7);

  @Override
  public void run(Place place) {
    try (Mesh bare = place.mesh("bare");
        ProcessGroup group = ProcessGroup.over(place.mesh("agreement"), Place.PATIENCE)) {
      try (Exchange exchange = new Exchange(bare, place.number(1))) {
        Times.agreedCalls(group, exchange, COLD * place.number(0));
      }
      for (int i = 1; i < place.arguments().size(); i++) {
        long bytes = place.number(i);
        try (Exchange exchange = new Exchange(bare, bytes)) {
          int calls = Times.agreedCalls(group, exchange, place.number(0));
          group.barrier();
          Times times = Times.of(exchange, calls);
          place.say(
              "exchange %d %d %.3f %.3f %.3f",
              bytes, calls, times.p50Us(), times.p99Us(), times.maxUs());
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
      out = new Vector(bytes);
      in = new Vector(bytes);
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
          queue.await(mesh.clock().nanoTime() + Place.PATIENCE.toNanos());
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
