package io.jgloo.rendezvous;

import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.transport.Address;
import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.Device;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.capability.Diagnosis;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * One rank's attempt to join its group: registers the rank in the store, reads the records of the
 * other ranks, connects.
 *
 * <p>A stale record, whose owner is not alive (see {@link LivenessCheck}), is replaced by its rank
 * and ignored by the others. The record of a rank that cannot be reached is read again until the
 * deadline, because its rank may replace it.
 *
 * <p>Threads: one calls; the store executor's access the store.
 */
final class Rendezvous {
  private static final Logger LOG = System.getLogger(Rendezvous.class.getName());

  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);
  private static final int LOOKS = 16;

  /**
   * The least time for each of the last store operations, however little is left: on a machine that
   * is overloaded by a factor of 30 one takes 0.3 s, and a machine that was stopped for a while
   * must not report a lost store.
   */
  static final Duration GRACE = Duration.ofSeconds(2);

  private final Mesh mesh;
  private final Device device;
  private final RankKeys keys;
  private final StoreExecutor executor;
  private final LivenessCheck liveness;
  private final RankRecord own;
  private final ForeignRecords foreign;
  private final Duration timeout;
  private final Deadline deadline;
  private final Duration attempt; // to connect: the most that one takes
  private final Duration lastLook; // for all records, before the deadline
  private final Map<Integer, RankRecord> known = new TreeMap<>();
  private final Map<Integer, UUID> stale = new HashMap<>();
  private final Set<Integer> withdrawn = new TreeSet<>(); // joined, and removed their records
  private final Set<Integer> unreached = new TreeSet<>(); // by the last attempt to connect
  private @Nullable SizeConflict oldConflict;
  private @Nullable JoinRefusal oldRefusal;
  private @Nullable MeshConnectException unconnected;
  private int reads; // of the other ranks' records
  private Duration untilAll; // of the time that is left, when all are read
  private boolean published;

  /**
   * @param timeout for messages
   * @param deadline when what is left of it has passed
   */
  Rendezvous(
      Mesh mesh,
      Device device,
      RankKeys keys,
      StoreExecutor executor,
      Duration timeout,
      Deadline deadline) {
    this.mesh = mesh;
    this.device = device;
    this.keys = keys;
    this.executor = executor;
    this.timeout = timeout;
    attempt = Duration.ofMillis(1000 + Math.min(20L * mesh.membership().size(), 9000));
    this.deadline = deadline;
    liveness = new LivenessCheck(device, keys, executor, deadline);
    own =
        new RankRecord(
            mesh.membership().rank(), mesh.membership().size(), UUID.randomUUID(), mesh.address());
    foreign = new ForeignRecords(own, keys, liveness, device.clock());
    untilAll = deadline.remaining().dividedBy(2);
    Duration manyRanksLook = FIRST_PAUSE.plusMillis(2L * own.size());
    lastLook = Deadline.shorter(manyRanksLook, timeout.dividedBy(8));
  }

  /** This rank's record. */
  RankRecord record() {
    return own;
  }

  /** The addresses by rank, once the mesh is connected. */
  List<Address> addresses() {
    return known.values().stream().map(RankRecord::address).toList();
  }

  /** Whether the record may be in the store and must be removed. */
  boolean isPublished() {
    return published;
  }

  /** Leaves the record in the store, for ranks that join later. */
  void leave() {
    published = false;
  }

  /** Returns when the mesh is connected. */
  void run() {
    oldConflict = keys.sizes(storeDeadline()).orElse(null);
    oldRefusal = keys.refusal(storeDeadline()).orElse(null);
    register();
    Future<?> lease = liveness.keepAlive(own);
    try {
      Duration pause = FIRST_PAUSE;
      Deadline slice = Deadline.after(attempt, device.clock());
      while (!connectOnce()) {
        checkConflicts();
        if (deadline.passed()) {
          throw timedOut();
        }
        if (!unreached.isEmpty() && !slice.passed()) {
          // A mesh that is refused permanently returns early.
          executor.pause(deadline.remaining(pause));
          pause = Deadline.shorter(pause.multipliedBy(2), LONGEST_PAUSE);
        }
        slice = Deadline.after(attempt, device.clock());
      }
    } finally {
      lease.cancel(false);
    }
  }

  // Registering.

  private void register() {
    byte[] mine = keys.encode(own);
    byte @Nullable [] expected = null;
    published = true; // before the request, which may take effect without an answer
    while (true) {
      byte[] current = keys.exchange(own.rank(), expected, mine, storeDeadline());
      if (Arrays.equals(current, mine)) {
        known.put(own.rank(), own);
        return;
      }
      if (deadline.passed()) {
        throw new RendezvousTimeoutException(
            own + " cannot register its rank in the store within " + timeout,
            List.of(own.rank()),
            null);
      }
      // For a key that was deleted, compareSet returns a non-empty expectation.
      expected = keys.record(own.rank(), storeDeadline()).isEmpty() ? null : current;
      if (expected != null) {
        replaceStale(current);
      }
    }
  }

  /** Returns if the record is stale. */
  private void replaceStale(byte[] value) {
    if (foreign.isReplaceable(own.rank(), value)) {
      return;
    }
    RankRecord holder = keys.decode(own.rank(), value);
    if (liveness.isAlive(holder)) {
      if (holder.size() != own.size()) {
        throw mismatch(holder);
      }
      keys.reportDuplicate(holder, storeDeadline());
      throw new DuplicateRankException(
          own.rank(),
          own + ": its rank is already registered by a live process at " + holder.address());
    }
    LOG.log(Level.INFO, "{0} replaces the stale record of {1}", own, holder);
    keys.removeLease(holder, storeDeadline());
    if (oldConflict != null && oldConflict.names(holder.nonce())) {
      keys.removeSizes(storeDeadline());
      oldConflict = null;
    }
  }

  // Reading and connecting.

  private boolean connectOnce() {
    read();
    if (known.size() < own.size()) {
      return false;
    }
    try {
      boolean waits = !Diagnosis.of(mesh).connectsOnFirstUse();
      mesh.connect(addresses(), waits ? deadline.remaining(attempt) : timeout);
      return true;
    } catch (MeshConnectException e) {
      unconnected = e;
      unreached.clear();
      unreached.addAll(e.causes().keySet());
      readAgain(e.causes().keySet());
      e.refused().forEach(rank -> requireNotRefused(rank, e));
      return false;
    }
  }

  /**
   * Fails if no further attempt can succeed, unless the record of the rank is stale: then its port
   * may be another process's by now.
   */
  private void requireNotRefused(int rank, MeshConnectException e) {
    RankRecord record = known.get(rank);
    JGlooException cause = Objects.requireNonNull(e.causes().get(rank));
    if (record == null || !liveness.isAlive(record)) {
      return;
    }
    String reason = String.valueOf(cause.getMessage());
    keys.publishRefusal(JoinRefusal.between(own, record, reason), storeDeadline());
    throw cause instanceof AuthenticationException
        ? cause.again(own + " cannot connect")
        : new RendezvousException(own + " cannot connect: " + reason, cause);
  }

  /**
   * How long a wait for the records of a group lasts, between looks at what others have published:
   * 50 ms and 10 ms for each rank, at most 5 s.
   */
  static Duration patience(int size) {
    return Duration.ofMillis(50 + Math.min(10L * size, 5000));
  }

  /**
   * Waits a little for the records that are not known yet, and reads those of 16 ranks, so that the
   * requests do not grow with the group; or of all, when half of the time that was left at the last
   * such look has passed: at the deadline others have removed theirs. The last look before it is
   * the earlier the more ranks look then.
   */
  private void read() {
    Duration half = deadline.remaining().dividedBy(2).plus(lastLook);
    Duration wait = deadline.remaining(Deadline.shorter(patience(own.size()), half));
    List<Integer> unread = unread();
    int looks = LOOKS;
    if (deadline.remaining().minus(wait).compareTo(untilAll) <= 0) {
      looks = unread.size();
      untilAll = deadline.remaining().minus(wait).dividedBy(2);
    }
    Collections.rotate(unread, -own.rank() - LOOKS * reads++); // not those that others look for
    if (!unread.isEmpty()) {
      keys.await(unread, looks, wait, storeDeadline()).forEach(this::evaluate);
    } else if (!stale.isEmpty()) {
      executor.pause(wait);
    }
    for (int rank : List.copyOf(stale.keySet())) {
      keys.record(rank, storeDeadline()).ifPresent(bytes -> evaluate(rank, bytes));
    }
  }

  /** The ranks of which no record is known, not even a stale one. */
  private List<Integer> unread() {
    List<Integer> unread = new ArrayList<>();
    for (int rank = 0; rank < own.size(); rank++) {
      if (!known.containsKey(rank) && !stale.containsKey(rank)) {
        unread.add(rank);
      }
    }
    return unread;
  }

  private void evaluate(int rank, byte[] bytes) {
    UUID other = foreign.evaluate(rank, bytes, stale.get(rank));
    if (other != null) {
      stale.put(rank, other);
      return;
    }
    RankRecord record = keys.decode(rank, bytes);
    if (record.nonce().equals(stale.get(rank))) {
      return;
    }
    boolean fits = record.size() == own.size() && record.address().device().equals(device.name());
    if (fits) {
      known.put(rank, record);
      foreign.remove(rank);
      stale.remove(rank);
      withdrawn.remove(rank);
      return;
    }
    if (liveness.isAlive(record)) {
      throw record.size() == own.size() ? otherDevice(record) : mismatch(record);
    }
    LOG.log(Level.INFO, "{0} ignores the stale record of {1}", own, record);
    stale.put(rank, record.nonce());
  }

  private RendezvousException otherDevice(RankRecord record) {
    String text = "devices differ: %s uses %s, %s uses %s";
    return new RendezvousException(
        text.formatted(own, device.name(), record, record.address().device()), null);
  }

  private WorldSizeMismatchException mismatch(RankRecord other) {
    SizeConflict conflict = SizeConflict.between(own, other);
    keys.publishSizes(conflict, storeDeadline());
    return conflict.toException(own.size());
  }

  /** Reads the records of ranks that could not be reached again: they may have changed. */
  private void readAgain(Collection<Integer> ranks) {
    Map<Integer, byte[]> records = keys.present(List.copyOf(ranks), storeDeadline());
    for (int rank : ranks) {
      byte[] current = records.get(rank);
      UUID nonce = Objects.requireNonNull(known.get(rank)).nonce();
      if (current != null && isCurrent(rank, nonce, current)) {
        continue;
      }
      known.remove(rank);
      unreached.remove(rank);
      withdrawn.add(rank);
      if (current != null) {
        evaluate(rank, current);
      }
    }
  }

  private boolean isCurrent(int rank, UUID nonce, byte[] bytes) {
    return keys.whyForeign(rank, bytes).isEmpty() && keys.decode(rank, bytes).nonce().equals(nonce);
  }

  // Failing.

  private void checkConflicts() {
    if (keys.isDuplicate(own, storeDeadline())) {
      throw new DuplicateRankException(
          own.rank(), own + ": another live process claims the same rank");
    }
    SizeConflict conflict = keys.sizes(storeDeadline()).orElse(null);
    if (conflict != null && !conflict.equals(oldConflict) && isCurrent(conflict)) {
      throw conflict.toException(own.size());
    }
    JoinRefusal refusal = keys.refusal(storeDeadline()).orElse(null);
    // The two may have left before this rank has read their records.
    if (refusal != null
        && (!refusal.equals(oldRefusal) || known.values().stream().anyMatch(refusal::names))) {
      throw refusal.toException(own);
    }
    foreign.requireNoneDue();
    keys.failure(storeDeadline())
        .ifPresent(
            failure -> {
              boolean seen = !unreached.isEmpty() || withdrawn.contains(failure.rank());
              throw failure.toException(own, seen ? unconnected : null);
            });
  }

  /** Whether the records of both ranks of the conflict are still in the store. */
  private boolean isCurrent(SizeConflict conflict) {
    return conflict.names(own.nonce())
        || (isCurrent(conflict.rank(), conflict.nonce())
            && isCurrent(conflict.otherRank(), conflict.otherNonce()));
  }

  private boolean isCurrent(int rank, UUID nonce) {
    return keys.record(rank, storeDeadline())
        .filter(bytes -> isCurrent(rank, nonce, bytes))
        .isPresent();
  }

  private JGlooException timedOut() {
    return foreign.failure(unconnected).orElseGet(this::incomplete);
  }

  private RendezvousException incomplete() {
    Set<Integer> missing;
    try {
      SizeConflict conflict = keys.sizes(storeDeadline()).orElse(null);
      if (conflict != null && isCurrent(conflict)) {
        return conflict.toException(own.size()); // found by other ranks
      }
      missing = missing(true);
    } catch (StoreUnavailableException e) {
      LOG.log(Level.DEBUG, "{0} cannot read the other ranks' records: {1}", own, e.getMessage());
      missing = missing(false);
    }
    return new RendezvousTimeoutException(text(missing), missing, unconnected);
  }

  /** Ranks that were never in the store have not joined; the others could not be connected. */
  private String text(Set<Integer> missing) {
    Set<Integer> absent = new TreeSet<>(missing);
    if (unconnected != null) {
      absent.removeAll(unreached);
      absent.removeAll(withdrawn);
    }
    Set<Integer> joined = new TreeSet<>(missing);
    joined.removeAll(absent);
    List<String> parts = new ArrayList<>();
    if (!absent.isEmpty()) {
      parts.add("ranks " + Membership.list(absent) + " did not join");
    }
    if (!joined.isEmpty()) {
      parts.add("ranks " + Membership.list(joined) + " joined, but were not connected");
    }
    return (own + " in " + mesh.membership().group() + ": " + String.join(", and ", parts))
        + (" within " + Deadline.millis(timeout) + " ms")
        + (joined.isEmpty() ? "" : ": " + Objects.requireNonNull(unconnected).getMessage());
  }

  private Set<Integer> missing(boolean storeAnswers) {
    Set<Integer> missing = new TreeSet<>();
    for (int rank = 0; rank < own.size(); rank++) {
      if (!known.containsKey(rank) && !withdrawn.contains(rank)) {
        missing.add(rank);
      }
    }
    if (!missing.isEmpty() && storeAnswers) {
      missing.addAll(staleRanks()); // connect was not tried, because other ranks are missing
    }
    missing.addAll(unreached);
    return missing.isEmpty() ? withdrawn : missing; // they have left again
  }

  /**
   * Ranks with stale records, as far as the device can tell and time allows. A rank that has failed
   * at this moment, as this one, is not among them: it removes its record before it closes its
   * mesh.
   */
  private Collection<Integer> staleRanks() {
    List<Integer> stale = new ArrayList<>();
    Deadline bound = deadline.later(GRACE);
    for (RankRecord record : known.values()) {
      Duration left = bound.remaining();
      if (record.rank() != own.rank()
          && !left.isZero()
          && liveness.isGone(record, left)
          && isCurrent(record.rank(), record.nonce())) {
        stale.add(record.rank());
      }
    }
    return stale;
  }

  /** The deadline of a store operation that begins now. */
  private Deadline storeDeadline() {
    return deadline.orAtLeast(GRACE);
  }
}
