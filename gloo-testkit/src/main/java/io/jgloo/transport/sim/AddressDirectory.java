package io.jgloo.transport.sim;

import io.jgloo.transport.Address;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.PeerLostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;

/** The addresses of the ranks of a world. */
final class AddressDirectory {

  private final Lock lock;
  private final Map<Membership, Address> addresses = new HashMap<>();

  /**
   * @param lock the world's
   */
  AddressDirectory(Lock lock) {
    this.lock = lock;
  }

  /** Publishes the address of a member; a later address replaces an earlier one. */
  void publish(Membership member, Address address) {
    lock.lock();
    try {
      addresses.put(member, address);
    } finally {
      lock.unlock();
    }
  }

  /** Ranks of a member's group that have not published. */
  List<Integer> missing(Membership member) {
    lock.lock();
    try {
      List<Integer> missing = new ArrayList<>();
      for (int rank = 0; rank < member.size(); rank++) {
        if (!addresses.containsKey(as(member, rank))) {
          missing.add(rank);
        }
      }
      return missing;
    } finally {
      lock.unlock();
    }
  }

  /** The addresses of a member's group by rank; all must have published. */
  List<Address> addresses(Membership member) {
    lock.lock();
    try {
      List<Address> all = new ArrayList<>();
      for (int rank = 0; rank < member.size(); rank++) {
        all.add(addresses.get(as(member, rank)));
      }
      return all;
    } finally {
      lock.unlock();
    }
  }

  /**
   * @throws MeshConnectException if a rank has not published
   */
  void check(Membership member, Duration timeout) {
    List<Integer> missing = missing(member);
    if (!missing.isEmpty()) {
      Map<Integer, JGlooException> causes = new TreeMap<>();
      for (int rank : missing) {
        String reason = "rank " + rank + " did not publish its address within " + timeout;
        causes.put(rank, new PeerLostException(rank, reason, null));
      }
      String who = Membership.list(missing);
      throw new MeshConnectException(
          member + ": ranks " + who + " did not publish their addresses within " + timeout, causes);
    }
  }

  private static Membership as(Membership member, int rank) {
    return new Membership(member.group(), member.epoch(), rank, member.size());
  }
}
