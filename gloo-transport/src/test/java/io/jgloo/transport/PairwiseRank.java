package io.jgloo.transport;

import io.jgloo.transport.Device.FailureScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** One rank's mesh of failure scope pairwise, for the moves that tests of it are made of. */
final class PairwiseRank extends MeshUser {

  private static final int BYTES = 3000;

  private final String generation;

  /** The mesh of a rank that is there from the start. */
  PairwiseRank(Rank rank) {
    this(rank, rank.device(), "pairs");
  }

  /**
   * @param generation under which others find the address
   */
  PairwiseRank(Rank rank, Device device, String generation) {
    super(
        rank,
        device.newMesh(
            new Membership("pairs", 0, rank.rank(), rank.size()), FailureScope.PAIRWISE));
    this.generation = generation;
    rank.publish(generation, mesh().address());
  }

  /** Connects to all ranks but these. */
  PairwiseRank connectWithout(int... absent) {
    connect(addressesWithout(absent), Ranks.PATIENCE);
    return this;
  }

  void connect(List<Address> addresses, Duration timeout) {
    mesh().connect(addresses, timeout);
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

  /** Waits until the pair has ended by this kind of exception, and checks what it does then. */
  <T extends JGlooException> T ends(Class<T> kind, int peer) {
    Area area = rank.area(8);
    JGlooException cause = fails(kind, recv(peer, 0xdead, area));
    Request late = recv(peer, 0xdead, area);
    if (!late.isDone() || late.failure() != cause || mesh().pair(peer).failure().get() != cause) {
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
