package io.jgloo.rendezvous;

import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.transport.Device;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.MeshConnectException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Future;

/**
 * One rank's attempt to meet the others of its group: claims its place in the store, reads the
 * others' records, connects.
 *
 * <p>A record nobody stands behind (see {@link Witness}) is taken over by its rank and ignored by
 * the others; one that merely cannot be connected to is read again until the deadline, for its rank
 * may be about to replace it.
 *
 * <p>Threads: one calls; the clerk's ask the store.
 */
final class Rendezvous {
  private static final Logger LOG = System.getLogger(Rendezvous.class.getName());

  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);
  private static final Duration CONNECT_SLICE = Duration.ofSeconds(1);

  /**
   * What each of the last questions may take, however little is left: on a machine that is short of
   * processors by a factor of 30 one takes 0.3 s, and a machine that was stopped for a while must
   * not blame the store for it.
   */
  static final Duration GRACE = Duration.ofSeconds(2);

  private final Mesh mesh;
  private final Device device;
  private final RankKeys keys;
  private final StoreClerk clerk;
  private final Witness witness;
  private final RankRecord own;
  private final Duration timeout;
  private final Deadline deadline;
  private final Map<Integer, RankRecord> known = new TreeMap<>();
  private final Map<Integer, UUID> stale = new HashMap<>();
  private final Set<Integer> departed = new TreeSet<>(); // came, and withdrew
  private final Set<Integer> unreached = new TreeSet<>(); // by the last attempt to connect
  private SizeConflict oldConflict;
  private MeshConnectException unconnected;
  private boolean published;

  Rendezvous(Mesh mesh, Device device, RankKeys keys, StoreClerk clerk, Duration timeout) {
    this.mesh = mesh;
    this.device = device;
    this.keys = keys;
    this.clerk = clerk;
    this.timeout = timeout;
    deadline = Deadline.after(timeout);
    witness = new Witness(device, keys, clerk, deadline);
    own = new RankRecord(mesh.rank(), mesh.size(), UUID.randomUUID(), mesh.address());
  }

  /** The record by which this rank was known, to be withdrawn. */
  RankRecord record() {
    return own;
  }

  /** Whether the record may be in the store, and is to be withdrawn. */
  boolean isPublished() {
    return published;
  }

  /** Leaves the record in the store, for ranks that come later to learn from. */
  void leave() {
    published = false;
  }

  /** Returns when the mesh is connected. */
  void run() {
    oldConflict = keys.sizes(storeDeadline()).orElse(null);
    claim();
    Future<?> lease = witness.keepAlive(own);
    try {
      Duration pause = FIRST_PAUSE;
      Deadline slice = Deadline.after(CONNECT_SLICE);
      while (!connectOnce()) {
        checkConflicts();
        if (deadline.passed()) {
          throw timedOut();
        }
        if (!unreached.isEmpty() && !slice.passed()) {
          // A mesh that is refused for good returns early.
          clerk.pause(shorter(pause, deadline.remaining()));
          pause = shorter(pause.multipliedBy(2), LONGEST_PAUSE);
        }
        slice = Deadline.after(CONNECT_SLICE);
      }
    } finally {
      lease.cancel(false);
    }
  }

  // Claiming.

  private void claim() {
    byte[] mine = own.encode();
    byte[] expected = null;
    published = true; // already: an answer that does not reach us leaves open if it was done
    while (true) {
      byte[] current = keys.exchange(own.rank(), expected, mine, storeDeadline());
      if (Arrays.equals(current, mine)) {
        known.put(own.rank(), own);
        return;
      }
      if (deadline.passed()) {
        throw new RendezvousTimeoutException(
            own + " could not claim its place within " + timeout, List.of(own.rank()), null);
      }
      // A key that has vanished answers a non-empty expectation with that expectation.
      expected = keys.record(own.rank(), storeDeadline()).isEmpty() ? null : current;
      if (expected != null) {
        takeOver(RankRecord.decode(own.rank(), current));
      }
    }
  }

  /** Returns if nobody stands behind the record. */
  private void takeOver(RankRecord holder) {
    if (witness.isAlive(holder)) {
      if (holder.size() != own.size()) {
        throw mismatch(holder);
      }
      keys.accuse(holder, storeDeadline());
      throw new DuplicateRankException(
          own.rank(),
          own + " is not alone: a living process at " + holder.address() + " has that rank");
    }
    LOG.log(Level.INFO, "{0} takes the place that {1} has left behind", own, holder);
    keys.forgetLease(holder, storeDeadline());
    if (oldConflict != null && oldConflict.names(holder.nonce())) {
      keys.forgetSizes(storeDeadline());
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
      mesh.connect(
          known.values().stream().map(RankRecord::address).toList(),
          shorter(CONNECT_SLICE, deadline.remaining()));
      return true;
    } catch (MeshConnectException e) {
      unconnected = e;
      unreached.clear();
      unreached.addAll(e.causes().keySet());
      readAgain(e.causes().keySet());
      return false;
    }
  }

  /** Reads the records of ranks that are not known yet, and waits a little for them. */
  private void read() {
    Duration patience =
        shorter(Duration.ofMillis(50 + Math.min(own.size(), 1000)), deadline.remaining());
    List<Integer> unread = new ArrayList<>();
    for (int rank = 0; rank < own.size(); rank++) {
      if (!known.containsKey(rank) && !stale.containsKey(rank)) {
        unread.add(rank);
      }
    }
    if (!unread.isEmpty()) {
      keys.await(unread, patience, storeDeadline()).forEach(this::judge);
    } else if (!stale.isEmpty()) {
      clerk.pause(patience);
    }
    for (int rank : List.copyOf(stale.keySet())) {
      keys.record(rank, storeDeadline()).ifPresent(bytes -> judge(rank, bytes));
    }
  }

  private void judge(int rank, byte[] bytes) {
    RankRecord record = RankRecord.decode(rank, bytes);
    if (record.nonce().equals(stale.get(rank))) {
      return;
    }
    boolean fits = record.size() == own.size() && record.address().device().equals(device.name());
    if (fits) {
      known.put(rank, record);
      stale.remove(rank);
      departed.remove(rank);
      return;
    }
    if (witness.isAlive(record)) {
      throw record.size() == own.size() ? otherDevice(record) : mismatch(record);
    }
    LOG.log(Level.INFO, "{0} ignores what {1} has left behind", own, record);
    stale.put(rank, record.nonce());
  }

  private RendezvousException otherDevice(RankRecord record) {
    return new RendezvousException(
        "devices differ: " + own + " uses " + device.name() + ", " + record + " does not", null);
  }

  private WorldSizeMismatchException mismatch(RankRecord other) {
    SizeConflict conflict = SizeConflict.between(own, other);
    keys.tellSizes(conflict, storeDeadline());
    return conflict.toException(own.size());
  }

  /** Reads the records of ranks that could not be reached once more: they may have new ones. */
  private void readAgain(Collection<Integer> ranks) {
    for (int rank : ranks) {
      Optional<byte[]> current = keys.record(rank, storeDeadline());
      if (current.isPresent() && isCurrent(known.get(rank), current.get())) {
        continue;
      }
      known.remove(rank);
      unreached.remove(rank);
      departed.add(rank);
      current.ifPresent(bytes -> judge(rank, bytes));
    }
  }

  private static boolean isCurrent(RankRecord record, byte[] bytes) {
    return RankRecord.decode(record.rank(), bytes).nonce().equals(record.nonce());
  }

  // Failing.

  private void checkConflicts() {
    if (keys.isAccused(own, storeDeadline())) {
      throw new DuplicateRankException(
          own.rank(), own + " is not alone: another process has claimed that rank since");
    }
    SizeConflict conflict = keys.sizes(storeDeadline()).orElse(null);
    if (conflict != null && !conflict.equals(oldConflict) && isCurrent(conflict)) {
      throw conflict.toException(own.size());
    }
    keys.verdict(storeDeadline())
        .ifPresent(
            verdict -> {
              throw verdict.toException(own);
            });
  }

  /** Whether both ranks of the conflict still stand in the store as it names them. */
  private boolean isCurrent(SizeConflict conflict) {
    return conflict.names(own.nonce())
        || (isCurrent(conflict.rank(), conflict.nonce())
            && isCurrent(conflict.otherRank(), conflict.otherNonce()));
  }

  private boolean isCurrent(int rank, UUID nonce) {
    return keys.record(rank, storeDeadline())
        .filter(bytes -> RankRecord.decode(rank, bytes).nonce().equals(nonce))
        .isPresent();
  }

  private RendezvousException timedOut() {
    Set<Integer> missing;
    try {
      SizeConflict conflict = keys.sizes(storeDeadline()).orElse(null);
      if (conflict != null && isCurrent(conflict)) {
        return conflict.toException(own.size()); // found by others before we came
      }
      missing = missing(true);
    } catch (StoreUnavailableException e) {
      LOG.log(Level.DEBUG, "{0} learns no more of the others: {1}", own, e.getMessage());
      missing = missing(false);
    }
    String message =
        String.format(
            "%s in %s: ranks %s have not come within %d ms",
            own, mesh.membership().group(), missing, Deadline.millis(timeout));
    return new RendezvousTimeoutException(message, missing, unconnected);
  }

  private Set<Integer> missing(boolean storeAnswers) {
    Set<Integer> missing = new TreeSet<>();
    for (int rank = 0; rank < own.size(); rank++) {
      if (!known.containsKey(rank) && !departed.contains(rank)) {
        missing.add(rank);
      }
    }
    if (!missing.isEmpty() && storeAnswers) {
      missing.addAll(leftBehind()); // who is here could not be connected to, for want of the others
    }
    missing.addAll(unreached);
    return missing.isEmpty() ? departed : missing; // at least they did not stay
  }

  /**
   * Ranks whose records nobody stands behind, as far as the device can tell and there is time to
   * ask. A rank that has just given up, as we do now, is not one: it takes its record back before
   * it closes its mesh.
   */
  private Collection<Integer> leftBehind() {
    List<Integer> gone = new ArrayList<>();
    Deadline enough = deadline.later(GRACE);
    for (RankRecord record : known.values()) {
      Duration left = enough.remaining();
      if (record.rank() != own.rank()
          && !left.isZero()
          && witness.isGone(record, left)
          && isCurrent(record.rank(), record.nonce())) {
        gone.add(record.rank());
      }
    }
    return gone;
  }

  /** By when the store must have answered a question that is asked now. */
  private Deadline storeDeadline() {
    return deadline.orAtLeast(GRACE);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
