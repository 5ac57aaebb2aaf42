package io.jgloo.transport.sim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.jgloo.transport.Buffer;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.Device;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Reduction;
import io.jgloo.transport.Request;
import io.jgloo.transport.memory.Memory;
import java.time.Duration;
import java.util.BitSet;
import java.util.Optional;
import java.util.SplittableRandom;

/** A rank's mesh and one block of memory, for tests that send this and that. */
final class Talk implements AutoCloseable {

  static final Duration LONG = Duration.ofSeconds(10);

  private final Mesh mesh;
  private final CompletionQueue queue;
  private final long memory;
  private final Buffer buffer;

  Talk(SimWorld world, Device device, Membership membership, int bytes) {
    this(world, device, membership, bytes, LONG);
  }

  Talk(SimWorld world, Device device, Membership membership, int bytes, Duration timeout) {
    this(world.connect(device, membership, timeout), bytes);
  }

  /** One more for another thread, on the same mesh. */
  Talk(Mesh mesh, int bytes) {
    this.mesh = mesh;
    queue = mesh.newQueue();
    try {
      memory = Memory.allocate(bytes, Memory.CACHE_LINE);
    } catch (OutOfMemoryError e) {
      mesh.close();
      throw e;
    }
    buffer = mesh.newBuffer().wrap(memory, bytes, null);
  }

  Mesh mesh() {
    return mesh;
  }

  Request send(int peer, long slot, int offset, int bytes, long seed) {
    Memory.copy(pattern(seed, bytes), 0, memory + offset, bytes);
    Request request = queue.newRequest().message(slot, buffer, offset, bytes);
    mesh.pair(peer).send(request);
    return request;
  }

  Request recv(int peer, long slot, int offset, int bytes) {
    Request request = queue.newRequest().message(slot, buffer, offset, bytes);
    mesh.pair(peer).recv(request);
    return request;
  }

  Request recvReduced(int peer, long slot, int bytes, Reduction reduction) {
    Request request = queue.newRequest().message(slot, buffer, 0, bytes).reducing(reduction);
    mesh.pair(peer).recv(request);
    return request;
  }

  void check(int offset, int bytes, long seed) {
    byte[] found = new byte[bytes];
    Memory.copy(memory + offset, found, 0, bytes);
    assertArrayEquals(pattern(seed, bytes), found);
  }

  /** Receives from any of the peers. */
  Request recvAny(long slot, int offset, int bytes) {
    BitSet peers = new BitSet();
    peers.set(0, mesh.membership().size());
    peers.clear(mesh.membership().rank());
    Request request = queue.newRequest().message(slot, buffer, offset, bytes);
    mesh.recvAny(request, peers);
    return request;
  }

  /** Waits for a request; false at the timeout. */
  boolean isDoneWithin(Request request, Duration timeout) {
    long deadline = mesh.clock().nanoTime() + timeout.toNanos();
    while (!request.isDone()) {
      if (queue.poll() == null && !queue.await(deadline)) {
        return false;
      }
    }
    return true;
  }

  /** Waits for a request; empty if it is done, else why it failed. */
  Optional<JGlooException> end(Request request) {
    if (!isDoneWithin(request, LONG)) {
      throw new AssertionError("slot " + request.slot() + " is still " + request.state());
    }
    return Optional.ofNullable(request.failure());
  }

  /** Exchanges a message with both neighbours in the ring until that fails. */
  JGlooException exchangeUntilFailure() {
    int rank = mesh.membership().rank();
    int size = mesh.membership().size();
    for (int i = 0; ; i++) {
      Request recv = recv((rank + size - 1) % size, 1, 0, 3000);
      Request send = send((rank + 1) % size, 1, 3000, 3000, i);
      Optional<JGlooException> failure = end(recv).or(() -> end(send));
      if (failure.isPresent()) {
        return failure.get();
      }
      check(0, 3000, i);
    }
  }

  private static byte[] pattern(long seed, int bytes) {
    byte[] pattern = new byte[bytes];
    new SplittableRandom(seed).nextBytes(pattern);
    return pattern;
  }

  /** Frees its memory; all its requests have ended. */
  void free() {
    Memory.free(memory);
  }

  @Override
  public void close() {
    try {
      mesh.close();
    } finally {
      free();
    }
  }
}
