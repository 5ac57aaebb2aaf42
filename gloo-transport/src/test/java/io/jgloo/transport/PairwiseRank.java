package io.jgloo.transport;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** One rank's mesh of failure scope pairwise, for the moves that tests of it are made of. */
final class PairwiseRank {

  private static final int BYTES = 3000;

  private final Rank rank;
  private final String generation;
  private final Mesh mesh;
  private final CompletionQueue queue;

  /** The mesh of a rank that is there from the start. */
  PairwiseRank(Rank rank) {
    this(rank, rank.device(), "pairs");
  }

  /**
   * @param generation under which others find the address
   */
  PairwiseRank(Rank rank, Device device, String generation) {
    this.rank = rank;
    this.generation = generation;
    mesh =
        device.newMesh(new Membership("pairs", 0, rank.rank(), rank.size()), FailureScope.PAIRWISE);
    queue = mesh.newQueue();
    rank.publish(generation, mesh.address());
  }

  Mesh mesh() {
    return mesh;
  }

  /** Connects to all ranks but these. */
  PairwiseRank connectWithout(int... absent) {
    connect(addressesWithout(absent), Ranks.PATIENCE);
    return this;
  }

  void connect(List<Address> addresses, Duration timeout) {
    mesh.connect(addresses, timeout);
  }

  List<Address> addressesWithout(int... absent) {
    List<Address> addresses = new ArrayList<>();
    for (int peer = 0; peer < rank.size(); peer++) {
      boolean left = Rank.set(absent).get(peer);
      String from = peer == rank.rank() ? generation : "pairs";
      addresses.add(left ? null : rank.address(from, peer));
    }
    return addresses;
  }

  Request request(long slot, Area area) {
    return queue.newRequest().message(slot, area.buffer(), 0, area.length());
  }

  Request send(int peer, long slot, Area area) {
    Request request = request(slot, area);
    mesh.pair(peer).send(request);
    return request;
  }

  Request recv(int peer, long slot, Area area) {
    return recv(peer, request(slot, area));
  }

  Request recv(int peer, Request request) {
    mesh.pair(peer).recv(request);
    return request;
  }

  Request recvAny(long slot, Area area, int... peers) {
    Request request = request(slot, area);
    mesh.recvAny(request, Rank.set(peers));
    return request;
  }

  Request end(Request request) {
    long deadline = rank.deadline(Ranks.PATIENCE);
    while (!request.isDone()) {
      if (!queue.await(deadline)) {
        throw new AssertionError("slot " + request.slot() + " is still " + request.state());
      }
      drain();
    }
    drain();
    return request;
  }

  private void drain() {
    while (queue.poll() != null) {
      // The tests look at their requests.
    }
  }

  void complete(Request... requests) {
    for (Request request : requests) {
      if (end(request).state() != Request.State.DONE) {
        throw new AssertionError(
            "slot " + request.slot() + " is " + request.state(), request.failure());
      }
    }
  }

  <T extends JGlooException> T fails(Class<T> kind, Request request) {
    JGlooException failure = end(request).failure();
    if (!kind.isInstance(failure)) {
      throw new AssertionError(
          kind.getSimpleName() + " expected, but the request is " + request.state(), failure);
    }
    return kind.cast(failure);
  }

  /** Waits until the pair has ended by this kind of exception, and checks what it does then. */
  <T extends JGlooException> T ends(Class<T> kind, int peer) {
    Area area = rank.area(8);
    JGlooException cause = fails(kind, recv(peer, 0xdead, area));
    Request late = recv(peer, 0xdead, area);
    if (!late.isDone() || late.failure() != cause || mesh.pair(peer).failure().get() != cause) {
      throw new AssertionError("a later receive is " + late.state(), late.failure());
    }
    drain();
    rank.free(area);
    return kind.cast(cause);
  }

  /** Sends a message to each of these peers, and receives and checks the one of each. */
  void exchange(long slot, int... peers) {
    exchangeBytes(BYTES, slot, peers);
  }

  void exchangeBytes(int bytes, long slot, int... peers) {
    BitSet others = Rank.set(peers);
    others.clear(rank.rank());
    List<Request> requests = new ArrayList<>();
    List<Area> areas = new ArrayList<>();
    others.stream()
        .forEach(
            peer -> {
              areas.add(rank.area(bytes));
              requests.add(recv(peer, slot, areas.get(areas.size() - 1)));
              Area own = rank.area(bytes).fill(seed(rank.rank(), peer, slot));
              requests.add(send(peer, slot, own));
              areas.add(own);
            });
    complete(requests.toArray(Request[]::new));
    int at = 0;
    for (int peer : others.stream().toArray()) {
      areas.get(at).check(seed(peer, rank.rank(), slot));
      at += 2;
    }
    rank.free(areas.toArray(Area[]::new));
  }

  private static long seed(int from, int to, long slot) {
    return (from * 31L + to) * 1_000_003 + slot;
  }
}
