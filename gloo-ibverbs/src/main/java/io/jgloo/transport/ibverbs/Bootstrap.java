package io.jgloo.transport.ibverbs;

import io.jgloo.transport.Address;
import io.jgloo.transport.Buffer;
import io.jgloo.transport.Clock;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Request;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.memory.Memory;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The TCP mesh beside the queue pairs: by it ranks exchange the attributes of their queue pairs,
 * goodbyes and failures; the end of its streams shows that a process has ended.
 *
 * <p>It is a whole mesh of the tcp device, so refusals, outdated addresses, abort notices and error
 * texts are the same. Only the {@link Watch} waits on it once the pairs are connected.
 *
 * <p><i>Threads</i>: {@link #connect} by one at a time, then the watch. <i>Owns</i>: the TCP mesh.
 */
final class Bootstrap {

  private static final long INTRODUCTION_SLOT = 1;
  private static final long READY_SLOT = 2;

  /** Ranks report on this slot that they leave. */
  static final long LEAVING_SLOT = 3;

  private final IbverbsMesh mesh;
  private final Mesh inner;
  private final CompletionQueue queue;
  private final Request[] introductions;
  private final Request[] ready;
  private final Request[] sends;
  private final boolean[] connected;
  private final Buffer outgoing;
  private final Buffer incoming;
  private long memory;

  Bootstrap(IbverbsMesh mesh, Mesh inner) {
    this.mesh = mesh;
    this.inner = inner;
    queue = inner.newQueue();
    int size = inner.membership().size();
    introductions = new Request[size];
    ready = new Request[size];
    sends = new Request[2 * size];
    connected = new boolean[size];
    int half = size * Introduction.BYTES;
    memory = Memory.allocate(2L * half, Memory.CACHE_LINE);
    outgoing = inner.newBuffer().wrap(memory, half, null);
    incoming = inner.newBuffer().wrap(memory + half, half, null);
  }

  Mesh inner() {
    return inner;
  }

  /** The address of the mesh: that of its TCP mesh, of another kind of device. */
  Address address() {
    Address own = inner.address();
    return new Address(IbverbsProvider.NAME, own.host(), own.toString(), own.payload());
  }

  /**
   * The TCP address within one of an ibverbs mesh.
   *
   * @throws ProtocolException if it is of another kind of device
   */
  static Address unwrap(Address address) {
    if (!address.device().equals(IbverbsProvider.NAME)) {
      throw new ProtocolException(
          "the address %s is of device %s, but this device is ibverbs"
              .formatted(address, address.device()));
    }
    String text = address.toString().replaceFirst("^ibverbs tcp ", "");
    return new Address("tcp", address.host(), text, address.payload());
  }

  /** Connects the TCP mesh, and then the queue pairs by what it brings; may be called again. */
  void connect(List<Address> addresses, Duration timeout) {
    long deadline = inner.clock().nanoTime() + Clock.nanos(timeout);
    List<Address> unwrapped = addresses.stream().map(Bootstrap::unwrap).toList();
    inner.connect(unwrapped, timeout);
    Membership own = inner.membership();
    for (int peer = 0; peer < own.size(); peer++) {
      if (peer != own.rank() && introductions[peer] == null) {
        introduce(peer);
      }
    }
    await(introductions, deadline, "sent a queue pair");
    for (int peer = 0; peer < own.size(); peer++) {
      if (peer != own.rank() && !connected[peer]) {
        connectPair(peer, unwrapped.get(peer).toString().replaceFirst("^tcp ", ""));
      }
    }
    await(ready, deadline, "connected a queue pair");
  }

  private void introduce(int peer) {
    long offset = (long) peer * Introduction.BYTES;
    byte[] bytes = mesh.linkAt(peer).introduction().encode();
    Memory.copy(bytes, 0, outgoing.address() + offset, bytes.length);
    introductions[peer] =
        queue.newRequest().message(INTRODUCTION_SLOT, incoming, offset, Introduction.BYTES);
    ready[peer] = queue.newRequest().message(READY_SLOT, incoming, offset, 0);
    sends[peer] =
        queue.newRequest().message(INTRODUCTION_SLOT, outgoing, offset, Introduction.BYTES);
    inner.pair(peer).recv(introductions[peer]);
    inner.pair(peer).recv(ready[peer]);
    inner.pair(peer).send(sends[peer]);
  }

  private void connectPair(int peer, String text) {
    byte[] bytes = new byte[Introduction.BYTES];
    Memory.copy(incoming.address() + (long) peer * bytes.length, bytes, 0, bytes.length);
    Introduction introduction;
    try {
      introduction = Introduction.decode(bytes);
    } catch (ProtocolException e) {
      throw new ProtocolException("rank " + peer + " at " + text + ": " + e.getMessage(), e);
    }
    mesh.connectLink(peer, introduction, text);
    connected[peer] = true;
    int size = connected.length;
    sends[size + peer] = queue.newRequest().message(READY_SLOT, outgoing, 0, 0);
    inner.pair(peer).send(sends[size + peer]);
  }

  private void await(Request[] requests, long deadline, String what) {
    while (true) {
      Map<Integer, JGlooException> missing = new TreeMap<>();
      for (int peer = 0; peer < requests.length; peer++) {
        if (requests[peer] != null && requests[peer].state() != Request.State.DONE) {
          missing.put(
              peer,
              new UnavailableException("rank " + peer + " has not " + what + " to this rank"));
        }
      }
      if (mesh.isClosed()) {
        throw new ClosedException("the mesh of " + inner.membership() + " is closed");
      }
      inner
          .failure()
          .ifPresent(
              cause -> {
                throw cause.again("cannot connect " + mesh);
              });
      if (missing.isEmpty()) {
        return;
      }
      if (queue.poll() == null && !queue.await(deadline) && isOver(deadline)) {
        String who = Membership.list(missing.keySet());
        throw new MeshConnectException(
            mesh + " cannot reach ranks " + who + ", which have not " + what, missing);
      }
    }
  }

  private boolean isOver(long deadline) {
    return inner.clock().nanoTime() - deadline >= 0 && !mesh.isClosed();
  }

  /** All other ranks. */
  BitSet others() {
    BitSet others = new BitSet();
    others.set(0, inner.membership().size());
    others.clear(inner.membership().rank());
    return others;
  }

  /** Makes room for what the watch needs. */
  Watch watch() {
    return new Watch(mesh, inner);
  }

  /** Lets a thread that connects see that the mesh is closed. */
  void rouse() {
    queue.wakeup();
  }

  /** Gives back the memory of the introductions; the TCP mesh is closed. */
  void free() {
    if (memory != 0) {
      Memory.free(memory);
      memory = 0;
    }
  }
}
