package io.jgloo.rendezvous;

import io.jgloo.rendezvous.store.PrefixStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreTimeoutException;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.transport.Membership;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The keys of one group in the store.
 *
 * <pre>
 *   GROUP@EPOCH/rank/R       record of rank R
 *   GROUP@EPOCH/lease/NONCE  counter that the owner of that record moves while it connects
 *   GROUP@EPOCH/conflict/R   nonce of the record of rank R that another process also claims
 *   GROUP@EPOCH/conflict/size   two ranks with different sizes
 *   GROUP@EPOCH/verdict      why the rank that serves the store has given up
 * </pre>
 *
 * <p>Threads: one. Fails: as the store does, and as {@link StoreClerk#ask} says.
 */
final class RankKeys {
  private static final Logger LOG = System.getLogger(RankKeys.class.getName());

  private static final String SIZE_CONFLICT = "conflict/size";
  private static final String VERDICT = "verdict";
  private static final byte[] NOTHING = {};

  private final PrefixStore store;
  private final StoreClerk clerk;

  RankKeys(Store store, Membership membership, StoreClerk clerk) {
    this.store = new PrefixStore(membership.group() + "@" + membership.epoch(), store);
    this.clerk = clerk;
  }

  /**
   * Puts a record in the place of another.
   *
   * @param expected what should be there, {@code null} for nothing
   * @return what is there now
   */
  byte[] exchange(int rank, byte[] expected, byte[] desired, Deadline deadline) {
    byte[] old = expected == null ? NOTHING : expected;
    return clerk.ask("claim a rank", deadline, () -> store.compareSet(record(rank), old, desired));
  }

  Optional<byte[]> record(int rank, Deadline deadline) {
    return look(record(rank), deadline);
  }

  /** Waits for the records of these ranks; returns those that there are after {@code patience}. */
  Map<Integer, byte[]> await(Collection<Integer> ranks, Duration patience, Deadline deadline) {
    List<Integer> present = new ArrayList<>(ranks);
    try {
      List<String> keys = present.stream().map(RankKeys::record).toList();
      clerk.ask(
          "wait for ranks",
          deadline,
          () -> {
            store.wait(keys, patience);
            return null;
          });
    } catch (StoreTimeoutException e) {
      // The store names keys in full, however many prefixes ours is behind.
      present.removeIf(rank -> e.keys().stream().anyMatch(key -> key.endsWith("/" + record(rank))));
    } catch (StoreUnavailableException e) {
      // A wait is short, and a store whose machine starts many ranks may be slower than that. One
      // that is lost fails the next question too, which has the store's own time.
      LOG.log(Level.DEBUG, "nothing is known of ranks {0} yet: {1}", ranks, e.getMessage());
      return Map.of();
    }
    Map<Integer, byte[]> found = new TreeMap<>();
    List<String> keys = present.stream().map(RankKeys::record).toList();
    if (keys.isEmpty()) {
      return found;
    }
    try {
      List<byte[]> records =
          clerk.ask("read ranks", deadline, () -> store.multiGet(keys, Duration.ZERO));
      for (int i = 0; i < records.size(); i++) {
        found.put(present.get(i), records.get(i));
      }
    } catch (StoreTimeoutException e) {
      // One was withdrawn at this moment; the next round will tell.
      present.forEach(rank -> record(rank, deadline).ifPresent(bytes -> found.put(rank, bytes)));
    }
    return found;
  }

  /** Moves the lease of one's own record; without the clerk. */
  void moveLease(RankRecord own) {
    store.add(lease(own), 1);
  }

  /** What the lease of a record says now; empty if its owner has not moved it yet. */
  Optional<byte[]> lease(RankRecord record, Deadline deadline) {
    return look(lease(record), deadline);
  }

  void forgetLease(RankRecord record, Deadline deadline) {
    clerk.ask("forget a lease", deadline, () -> store.deleteKey(lease(record)));
  }

  void accuse(RankRecord victim, Deadline deadline) {
    tell("conflict/" + victim.rank(), nonce(victim.nonce()), deadline);
  }

  boolean isAccused(RankRecord own, Deadline deadline) {
    return look("conflict/" + own.rank(), deadline)
        .filter(bytes -> Arrays.equals(bytes, nonce(own.nonce())))
        .isPresent();
  }

  void tellSizes(SizeConflict conflict, Deadline deadline) {
    tell(SIZE_CONFLICT, conflict.encode(), deadline);
  }

  Optional<SizeConflict> sizes(Deadline deadline) {
    return look(SIZE_CONFLICT, deadline).map(SizeConflict::decode);
  }

  void forgetSizes(Deadline deadline) {
    clerk.ask("forget a conflict", deadline, () -> store.deleteKey(SIZE_CONFLICT));
  }

  void tellVerdict(Verdict verdict, Deadline deadline) {
    tell(VERDICT, verdict.encode(), deadline);
  }

  Optional<Verdict> verdict(Deadline deadline) {
    return look(VERDICT, deadline).map(Verdict::decode);
  }

  void forgetVerdict(Deadline deadline) {
    clerk.ask("forget a verdict", deadline, () -> store.deleteKey(VERDICT));
  }

  /** Removes what belongs to a record, unless somebody else has taken its place. */
  void withdraw(RankRecord own, Deadline deadline) {
    String key = record(own.rank());
    clerk.ask(
        "withdraw a rank",
        deadline,
        () -> {
          store.deleteKey(lease(own));
          if (store.check(List.of(key))
              && Arrays.equals(store.get(key, Duration.ZERO), own.encode())) {
            store.deleteKey("conflict/" + own.rank());
            store.deleteKey(key);
          }
          return null;
        });
  }

  private void tell(String key, byte[] value, Deadline deadline) {
    clerk.ask(
        "tell the others",
        deadline,
        () -> {
          store.set(key, value);
          return null;
        });
  }

  private Optional<byte[]> look(String key, Deadline deadline) {
    try {
      return clerk.ask(
          "look up " + key,
          deadline,
          () ->
              store.check(List.of(key))
                  ? Optional.of(store.get(key, Duration.ZERO))
                  : Optional.empty());
    } catch (StoreTimeoutException e) {
      return Optional.empty(); // deleted between the two
    }
  }

  private static String record(int rank) {
    return "rank/" + rank;
  }

  private static String lease(RankRecord record) {
    return "lease/" + record.nonce();
  }

  private static byte[] nonce(UUID nonce) {
    return nonce.toString().getBytes(StandardCharsets.US_ASCII);
  }
}
