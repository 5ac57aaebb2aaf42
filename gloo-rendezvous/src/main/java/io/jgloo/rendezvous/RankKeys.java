package io.jgloo.rendezvous;

import io.jgloo.rendezvous.join.RecordSeal;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one group in the store.
 *
 * <pre>
 *   GROUP@EPOCH/rank/R       record of rank R
 *   GROUP@EPOCH/lease/NONCE  counter that the owner of that record increments while it connects
 *   GROUP@EPOCH/conflict/R   nonce of the record of rank R that another process also claims
 *   GROUP@EPOCH/conflict/size   two ranks with different sizes
 *   GROUP@EPOCH/conflict/refusal   two ranks that can never connect ({@link JoinRefusal})
 *   GROUP@EPOCH/failure      why the rank that serves the store has given up ({@link JoinFailure})
 * </pre>
 *
 * <p>With a job secret all but the leases, which are counters, are sealed ({@link RecordSeal}).
 *
 * <p>Threads: one. Fails: as the store does, and as {@link StoreExecutor#call}.
 */
final class RankKeys {
  private static final Logger LOG = System.getLogger(RankKeys.class.getName());

  private static final String SIZE_CONFLICT = "conflict/size";
  private static final String REFUSAL = "conflict/refusal";
  private static final String JOIN_FAILURE = "failure";
  private static final byte[] NOTHING = {};

  private final PrefixStore store;
  private final StoreExecutor executor;
  private final RecordSeal seal;

  RankKeys(Store store, Membership membership, StoreExecutor executor, RecordSeal seal) {
    this.store = new PrefixStore(membership.group() + "@" + membership.epoch(), store);
    this.executor = executor;
    this.seal = seal;
  }

  /** The value of a rank's key. */
  byte[] encode(RankRecord record) {
    return seal.seal(record(record.rank()), record.encode());
  }

  /**
   * The record in the value of a rank's key, written by any process.
   *
   * @throws io.jgloo.transport.ProtocolException as {@link RankRecord#decode}
   */
  RankRecord decode(int rank, byte[] value) {
    return RankRecord.decode(rank, seal.payload(value));
  }

  /** Why the value of a rank's key is not of this job; empty if it is. */
  Optional<String> whyForeign(int rank, byte[] value) {
    return seal.whyForeign(record(rank), value);
  }

  /**
   * Replaces a record.
   *
   * @param expected the record that is replaced, {@code null} for none
   * @return the record that is stored afterwards
   */
  byte[] exchange(int rank, byte @Nullable [] expected, byte[] desired, Deadline deadline) {
    byte[] old = expected == null ? NOTHING : expected;
    return executor.call(
        "register a rank", deadline, () -> store.compareSet(record(rank), old, desired));
  }

  Optional<byte[]> record(int rank, Deadline deadline) {
    return find(record(rank), deadline);
  }

  /**
   * Waits for the records of all these ranks; at the end of {@code patience} looks for those of the
   * first ones.
   *
   * @param looks how many
   * @return the records that were read
   */
  Map<Integer, byte[]> await(List<Integer> ranks, int looks, Duration patience, Deadline deadline) {
    List<String> keys = ranks.stream().map(RankKeys::record).toList();
    try {
      boolean all = executor.call("wait for ranks", deadline, () -> store.await(keys, patience));
      return all
          ? read(ranks, deadline)
          : present(ranks.subList(0, Math.min(looks, ranks.size())), deadline);
    } catch (StoreUnavailableException e) {
      // This wait is short; a store on a machine that starts many ranks may take longer. If the
      // store is lost, the next request fails too, which has the store's own timeout.
      LOG.log(
          Level.DEBUG, "the records of ranks {0} cannot be read yet: {1}", ranks, e.getMessage());
      return Map.of();
    }
  }

  /** Those records of these ranks that exist. */
  Map<Integer, byte[]> present(List<Integer> ranks, Deadline deadline) {
    List<Integer> present = new ArrayList<>(ranks);
    try {
      List<String> keys = ranks.stream().map(RankKeys::record).toList();
      executor.call(
          "look for ranks",
          deadline,
          () -> {
            store.wait(keys, Duration.ZERO);
            return null;
          });
    } catch (StoreTimeoutException e) {
      // The store names keys with all prefixes.
      present.removeIf(rank -> e.keys().stream().anyMatch(key -> key.endsWith("/" + record(rank))));
    }
    return read(present, deadline);
  }

  private Map<Integer, byte[]> read(List<Integer> present, Deadline deadline) {
    Map<Integer, byte[]> found = new TreeMap<>();
    List<String> keys = present.stream().map(RankKeys::record).toList();
    if (keys.isEmpty()) {
      return found;
    }
    try {
      List<byte[]> records =
          executor.call("read ranks", deadline, () -> store.multiGet(keys, Duration.ZERO));
      for (int i = 0; i < records.size(); i++) {
        found.put(present.get(i), records.get(i));
      }
    } catch (StoreTimeoutException e) {
      // A record was removed meanwhile; the next round reads again.
      present.forEach(rank -> record(rank, deadline).ifPresent(bytes -> found.put(rank, bytes)));
    }
    return found;
  }

  /** Increments the lease of this rank's record, on the calling thread. */
  void moveLease(RankRecord own) {
    store.add(lease(own), 1);
  }

  /** The lease of a record; empty if its owner has not incremented it yet. */
  Optional<byte[]> lease(RankRecord record, Deadline deadline) {
    return find(lease(record), deadline);
  }

  void removeLease(RankRecord record, Deadline deadline) {
    executor.call("remove a lease", deadline, () -> store.deleteKey(lease(record)));
  }

  void reportDuplicate(RankRecord other, Deadline deadline) {
    publish("conflict/" + other.rank(), nonce(other.nonce()), deadline);
  }

  boolean isDuplicate(RankRecord own, Deadline deadline) {
    return read("conflict/" + own.rank(), deadline)
        .filter(bytes -> Arrays.equals(bytes, nonce(own.nonce())))
        .isPresent();
  }

  void publishSizes(SizeConflict conflict, Deadline deadline) {
    publish(SIZE_CONFLICT, conflict.encode(), deadline);
  }

  Optional<SizeConflict> sizes(Deadline deadline) {
    return read(SIZE_CONFLICT, deadline).map(SizeConflict::decode);
  }

  void removeSizes(Deadline deadline) {
    executor.call("remove a size conflict", deadline, () -> store.deleteKey(SIZE_CONFLICT));
  }

  void publishRefusal(JoinRefusal refusal, Deadline deadline) {
    publish(REFUSAL, refusal.encode(), deadline);
  }

  Optional<JoinRefusal> refusal(Deadline deadline) {
    return read(REFUSAL, deadline).map(JoinRefusal::decode);
  }

  void publishFailure(JoinFailure failure, Deadline deadline) {
    publish(JOIN_FAILURE, failure.encode(), deadline);
  }

  Optional<JoinFailure> failure(Deadline deadline) {
    return read(JOIN_FAILURE, deadline).map(JoinFailure::decode);
  }

  void removeFailure(Deadline deadline) {
    executor.call("remove a join failure", deadline, () -> store.deleteKey(JOIN_FAILURE));
  }

  /** Removes the keys of a record, unless another process has replaced the record. */
  void withdraw(RankRecord own, Deadline deadline) {
    String key = record(own.rank());
    executor.call(
        "withdraw a rank",
        deadline,
        () -> {
          store.deleteKey(lease(own));
          if (store.check(List.of(key))
              && Arrays.equals(store.get(key, Duration.ZERO), encode(own))) {
            store.deleteKey("conflict/" + own.rank());
            store.deleteKey(key);
          }
          return null;
        });
  }

  private void publish(String key, byte[] value, Deadline deadline) {
    executor.call(
        "publish " + key,
        deadline,
        () -> {
          store.set(key, seal.seal(key, value));
          return null;
        });
  }

  /** A conflict or failure; those that are not of this job do not count. */
  private Optional<byte[]> read(String key, Deadline deadline) {
    return find(key, deadline).filter(value -> seal.isAuthentic(key, value)).map(seal::payload);
  }

  private Optional<byte[]> find(String key, Deadline deadline) {
    try {
      return executor.call(
          "look up " + key,
          deadline,
          () ->
              store.check(List.of(key))
                  ? Optional.of(store.get(key, Duration.ZERO))
                  : Optional.empty());
    } catch (StoreTimeoutException e) {
      return Optional.empty(); // deleted between check and get
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
