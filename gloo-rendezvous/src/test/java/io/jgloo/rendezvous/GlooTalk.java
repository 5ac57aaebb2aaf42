package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Buffer;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Request;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The messages of {@code gloo_talk.cc}, at the level of pairs, sent and received by JGloo. */
final class GlooTalk {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long BARRIER = 7L << 56;

  private final Mesh mesh;
  private final CompletionQueue queue;

  GlooTalk(Mesh mesh) {
    this.mesh = mesh;
    queue = mesh.newQueue();
  }

  void talk() {
    exchange(7, 4);
    exchange(7, 0);
    exchange(0x04deadbeef000000L, 3_000_001);
    fromAny(10);
    bound(11, 100_000);
    fromAny(10);
    barrier();
  }

  /** Every rank to every other, in any order of posting. */
  void exchange(long slot, int size) {
    List<Request> open = new ArrayList<>();
    ByteBuffer[] in = new ByteBuffer[mesh.membership().size()];
    for (int peer = 0; peer < mesh.membership().size(); peer++) {
      if (peer != mesh.membership().rank()) {
        in[peer] = ByteBuffer.allocateDirect(size);
        open.add(send(peer, request(slot, pattern(peer, size), 0, size)));
        open.add(recv(peer, request(slot, in[peer], 0, size)));
      }
    }
    complete(open);
    check(in);
  }

  /** Two messages for two places of a buffer, to and from all ranks. */
  private void bound(long slot, int size) {
    List<Request> open = new ArrayList<>();
    ByteBuffer[] in = new ByteBuffer[mesh.membership().size()];
    for (int peer = 0; peer < mesh.membership().size(); peer++) {
      if (peer != mesh.membership().rank()) {
        in[peer] = ByteBuffer.allocateDirect(2 * size);
        ByteBuffer out = pattern(peer, 2 * size);
        for (int place = 0; place <= size; place += size) {
          open.add(send(peer, request(slot, out, place, size).bound(place)));
          open.add(recv(peer, request(slot, in[peer], place, size).bound(place)));
        }
      }
    }
    complete(open);
    check(in);
    exchange(1000, 0);
  }

  private void fromAny(long slot) {
    BitSet others = new BitSet();
    others.set(0, mesh.membership().size());
    others.clear(mesh.membership().rank());
    List<Request> open = new ArrayList<>();
    ByteBuffer own = ByteBuffer.allocateDirect(4).order(ByteOrder.nativeOrder());
    own.putInt(0, mesh.membership().rank());
    others.stream().forEach(peer -> open.add(send(peer, request(slot, own, 0, 4))));
    BitSet heard = new BitSet();
    for (int i = 1; i < mesh.membership().size(); i++) {
      ByteBuffer said = ByteBuffer.allocateDirect(4).order(ByteOrder.nativeOrder());
      Request any = request(slot, said, 0, 4);
      mesh.recvAny(any, others);
      complete(any, open);
      assertEquals(any.peer(), said.getInt(0));
      assertFalse(heard.get(any.peer()));
      heard.set(any.peer());
    }
    complete(open);
  }

  private void barrier() {
    ByteBuffer nothing = ByteBuffer.allocateDirect(0);
    int size = mesh.membership().size();
    for (int distance = 1; distance < size; distance *= 2) {
      List<Request> open = new ArrayList<>();
      int to = (mesh.membership().rank() + distance) % size;
      int from = (mesh.membership().rank() + size - distance) % size;
      open.add(recv(from, request(BARRIER, nothing, 0, 0)));
      open.add(send(to, request(BARRIER, nothing, 0, 0)));
      complete(open);
    }
  }

  private Request request(long slot, ByteBuffer memory, int offset, int length) {
    long address = memory.capacity() == 0 ? 0 : Memory.addressOf(memory);
    Buffer buffer = mesh.newBuffer().wrap(address, memory.capacity(), memory);
    return queue.newRequest().message(slot, buffer, offset, length);
  }

  private Request send(int peer, Request request) {
    mesh.pair(peer).send(request);
    return request;
  }

  private Request recv(int peer, Request request) {
    mesh.pair(peer).recv(request);
    return request;
  }

  private void complete(List<Request> open) {
    while (!open.isEmpty()) {
      complete(open.get(open.size() - 1), open);
      open.removeIf(Request::isDone);
    }
  }

  private void complete(Request wanted, List<Request> others) {
    long deadline = mesh.clock().nanoTime() + PATIENCE.toNanos();
    while (!wanted.isDone()) {
      assertTrue(queue.await(deadline), "messages are missing");
      for (Request done = queue.poll(); done != null; done = queue.poll()) {
        assertEquals(Request.State.DONE, done.state(), String.valueOf(done.failure()));
        others.remove(done);
      }
    }
  }

  private ByteBuffer pattern(int to, int size) {
    ByteBuffer out = ByteBuffer.allocateDirect(size);
    for (int i = 0; i < size; i++) {
      out.put(i, (byte) (mesh.membership().rank() * 31 + to * 7 + i));
    }
    return out;
  }

  private void check(ByteBuffer[] in) {
    for (int peer = 0; peer < in.length; peer++) {
      for (int i = 0; in[peer] != null && i < in[peer].capacity(); i++) {
        assertEquals((byte) (peer * 31 + mesh.membership().rank() * 7 + i), in[peer].get(i));
      }
    }
  }
}
