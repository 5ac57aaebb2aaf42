package io.jgloo.testkit;

import io.jgloo.transport.Address;
import io.jgloo.transport.Allocation;
import io.jgloo.transport.Buffer;
import io.jgloo.transport.Clock;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Pair;
import io.jgloo.transport.Request;
import io.jgloo.transport.Wire;
import io.jgloo.transport.capability.Cells;
import io.jgloo.transport.capability.SharedHeap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/** A mesh that reports the slot of each request before it is posted, and what is left open. */
final class RankMesh implements Mesh {

  private final Mesh mesh;
  private final LongConsumer posting;
  private final Pair[] pairs;
  private final Set<Allocation> allocations = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * @param posting called with the slot of each request, by the thread that posts it
   */
  RankMesh(Mesh mesh, LongConsumer posting) {
    this.mesh = mesh;
    this.posting = posting;
    pairs = new Pair[mesh.membership().size()];
  }

  /** Its group and memory, as long as they are not closed. */
  List<String> open() {
    List<String> open = new ArrayList<>();
    for (Allocation memory : allocations) {
      open.add(memory + " of group " + membership());
    }
    if (!closed) {
      open.add("group " + membership());
    }
    return open;
  }

  /** A pair that reports. */
  private record RankPair(Pair pair, LongConsumer posting) implements Pair {

    @Override
    public int peer() {
      return pair.peer();
    }

    @Override
    public Optional<JGlooException> failure() {
      return pair.failure();
    }

    @Override
    public boolean hasDeparted() {
      return pair.hasDeparted();
    }

    @Override
    public void send(Request request) {
      posting.accept(request.slot());
      pair.send(request);
    }

    @Override
    public boolean sendsArrays() {
      return pair.sendsArrays();
    }

    @Override
    public void recv(Request request) {
      posting.accept(request.slot());
      pair.recv(request);
    }

    @Override
    public String medium() {
      return pair.medium();
    }
  }

  @Override
  public Pair pair(int peer) {
    Pair found = mesh.pair(peer); // checks the rank
    synchronized (pairs) {
      if (pairs[peer] == null) {
        pairs[peer] = new RankPair(found, posting);
      }
      return pairs[peer];
    }
  }

  @Override
  public void recvAny(Request request, BitSet peers) {
    posting.accept(request.slot());
    mesh.recvAny(request, peers);
  }

  @Override
  public void close() {
    closed = true;
    mesh.close();
  }

  @Override
  public Membership membership() {
    return mesh.membership();
  }

  @Override
  public Wire wire() {
    return mesh.wire();
  }

  @Override
  public Clock clock() {
    return mesh.clock();
  }

  @Override
  public Address address() {
    return mesh.address();
  }

  @Override
  public void connect(List<Address> addresses, Duration timeout) {
    mesh.connect(addresses, timeout);
  }

  @Override
  public List<String> hosts() {
    return mesh.hosts();
  }

  @Override
  public CompletionQueue newQueue() {
    return mesh.newQueue();
  }

  @Override
  public Buffer newBuffer() {
    return mesh.newBuffer();
  }

  /** There are no cells: a message in a cell is no request, which a fault could hit. */
  @Override
  public <T> Optional<T> capability(Class<T> type) {
    if (type == SharedHeap.class) {
      return Optional.of(type.cast(new RankHeap(mesh.capability(SharedHeap.class))));
    }
    return type == Cells.class ? Optional.empty() : mesh.capability(type);
  }

  /** A heap whose memory is counted. */
  private final class RankHeap implements SharedHeap {

    private final Optional<SharedHeap> heap;

    RankHeap(Optional<SharedHeap> heap) {
      this.heap = heap;
    }

    @Override
    public Allocation allocate(long bytes) {
      Allocation memory =
          heap.isPresent() ? heap.get().allocate(bytes) : Allocation.unshared(bytes);
      allocations.add(memory);
      Runnable release =
          () -> {
            memory.close();
            allocations.remove(memory);
          };
      return new Allocation(memory.buffer(), memory.isShared(), release);
    }

    @Override
    public boolean hasSpare() {
      return heap.isPresent() && heap.get().hasSpare();
    }
  }

  @Override
  public Optional<JGlooException> failure() {
    return mesh.failure();
  }

  @Override
  public void abort(JGlooException cause) {
    mesh.abort(cause);
  }

  @Override
  public String toString() {
    return mesh.toString();
  }
}
