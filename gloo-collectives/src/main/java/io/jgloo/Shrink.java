package io.jgloo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.transport.Address;
import io.jgloo.transport.Device;
import io.jgloo.transport.Device.Liveness;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.capability.Diagnosis;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Agrees with the other survivors of a group on who goes on, and connects them.
 *
 * <p>A round has three steps, each decided by one key of the store: survivors register; the first
 * that finds every other rank registered or gone, or waits no longer, proposes the members, and
 * {@code compareSet} takes one proposal; the members connect, meet in a barrier, and the first
 * writes whether the round succeeded. If it failed, because a member died meanwhile, all members
 * begin the next round. So all that return have the same members, no matter which ranks die, or
 * when.
 *
 * <p>The keys are under the group's name, epoch and a hash of the addresses of its meshes, which no
 * other run has. They stay in the store, some 100 bytes for each rank.
 *
 * <p><em>Threads</em>: one.
 */
final class Shrink {

  private static final System.Logger LOG = System.getLogger(Shrink.class.getName());
  private static final Duration SLICE = Duration.ofMillis(100);

  /** Slices are longer in larger groups: a look costs the store bytes for each rank. */
  private static final int RANKS_PER_SLICE = 64;

  /** Ranks that are asked in one look whether they are alive, those that have ended not counted. */
  private static final int QUESTIONS = 4;

  private static final Duration PROBE = Duration.ofSeconds(1);
  private static final byte[] FORMED = "formed".getBytes(US_ASCII);
  private static final byte[] FAILED = "failed".getBytes(US_ASCII);
  private static final byte[] NOTHING = new byte[0];

  private final Store store;
  private final Device device;
  private final List<Address> addresses;
  private final Membership membership;
  private final Duration timeout;
  private final String keys;
  private final Set<Integer> gone = new HashSet<>();
  private List<Address> newAddresses = List.of();

  Shrink(Connection old, Connection.Origin origin, Duration timeout) {
    this.timeout = timeout;
    store = Objects.requireNonNull(origin.store());
    device = old.device().orElseThrow();
    addresses = origin.addresses();
    membership = old.mesh().membership();
    keys = membership.group() + "@" + membership.epoch() + "/shrink/" + hash(addresses) + "/";
  }

  private static String hash(List<Address> addresses) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      addresses.forEach(address -> digest.update(address.encode()));
      return HexFormat.of().formatHex(digest.digest(), 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }

  /** The connected mesh of the survivors, with their ranks in the old group. */
  record Result(Mesh mesh, List<Integer> members, List<Address> addresses) {}

  /** Goes through rounds until one succeeds; each fails because one more rank has died. */
  Result run() {
    List<Integer> candidates = IntStream.range(0, membership.size()).boxed().toList();
    for (int round = 0; ; round++) {
      List<Integer> members = agree(keys + round, candidates);
      int own = members.indexOf(membership.rank());
      if (own < 0) {
        throw new UnavailableException(
            (membership
                    + " is not in the group that the survivors form, ranks "
                    + Membership.list(members))
                + ": it did not register in time");
      }
      Mesh mesh = connect(keys + round, round, members, own);
      if (mesh != null) {
        return new Result(mesh, members, newAddresses);
      }
      candidates = members;
    }
  }

  // Members.

  private List<Integer> agree(String round, List<Integer> candidates) {
    String alive = round + "/alive";
    String members = round + "/members";
    store.append(alive, encoded(List.of(membership.rank())));
    long start = System.nanoTime();
    for (int look = 0; !await(members, look); look++) {
      List<Integer> silent = silent(alive, candidates);
      if (areGone(silent, look) || left(start).isZero()) {
        List<Integer> present = new ArrayList<>(candidates);
        present.removeAll(new HashSet<>(silent));
        return decoded(store.compareSet(members, NOTHING, encoded(present)));
      }
    }
    return decoded(store.get(members, timeout));
  }

  /** Of some ranks those that have not registered under a key; one request, for this rank has. */
  private List<Integer> silent(String key, List<Integer> ranks) {
    Set<Integer> registered = new HashSet<>(decoded(store.get(key, timeout)));
    return ranks.stream().filter(rank -> !registered.contains(rank)).toList();
  }

  /** Whether all of these ranks are gone; at most {@link #QUESTIONS} others are asked. */
  private boolean areGone(List<Integer> ranks, int look) {
    return inAskingOrder(ranks, look).stream()
            .filter(rank -> !isGone(rank))
            .limit(QUESTIONS)
            .count()
        == 0;
  }

  /** These ranks in the order in which they are asked: another one at each rank and each look. */
  private List<Integer> inAskingOrder(List<Integer> ranks, int look) {
    List<Integer> order = new ArrayList<>(ranks);
    Collections.rotate(order, -QUESTIONS * (membership.rank() + look));
    return order;
  }

  /** Whether the rank's process or its group has ended; asked until it is so. */
  private boolean isGone(int rank) {
    if (!gone.contains(rank) && device.liveness(addresses.get(rank), PROBE) == Liveness.GONE) {
      gone.add(rank);
    }
    return gone.contains(rank);
  }

  /** Whether a key is there: at once at the first look, else within a slice. */
  private boolean await(String key, int look) {
    if (look == 0) {
      return store.check(List.of(key));
    }
    try {
      return store.await(List.of(key), SLICE.multipliedBy(1 + membership.size() / RANKS_PER_SLICE));
    } catch (StoreUnavailableException e) {
      return false; // slow, or lost: the next request has all of the timeout, and finds out which
    }
  }

  private Duration left(long startNanos) {
    Duration left = timeout.minusNanos(System.nanoTime() - startNanos);
    return left.isNegative() ? Duration.ZERO : left;
  }

  // Connecting.

  /** The connected mesh, or null if the round has failed. */
  private @Nullable Mesh connect(String round, int number, List<Integer> members, int own) {
    long epoch = membership.epoch() + 1 + number;
    Mesh mesh = device.newMesh(new Membership(membership.group(), epoch, own, members.size()));
    boolean formed = false;
    try {
      boolean connected = false;
      try {
        store.set(round + "/address/" + membership.rank(), mesh.address().encode());
        connected = tryToConnect(round, mesh, members);
      } catch (JGlooException e) {
        LOG.log(Level.INFO, "{0}: round {1} of shrinking fails: {2}", membership, number, e);
      }
      byte[] outcome = store.compareSet(round + "/outcome", NOTHING, connected ? FORMED : FAILED);
      formed = Arrays.equals(outcome, FORMED);
    } finally {
      if (!formed) {
        mesh.close();
      }
    }
    return formed ? mesh : null;
  }

  private boolean tryToConnect(String round, Mesh mesh, List<Integer> members) {
    if (!meet(round, "/addresses", mesh, members)) {
      return false;
    }
    newAddresses = newAddresses(round, members);
    long start = System.nanoTime();
    for (int look = 0; ; look++) {
      try {
        mesh.connect(newAddresses, Diagnosis.of(mesh).connectsOnFirstUse() ? timeout : PROBE);
        return meet(round, "/connected", mesh, members);
      } catch (MeshConnectException e) {
        List<Integer> unreached = e.causes().keySet().stream().map(members::get).toList();
        if (isLost(round, unreached, look) || left(start).isZero()) {
          return false;
        }
      }
    }
  }

  private List<Address> newAddresses(String round, List<Integer> members) {
    return store
        .multiGet(members.stream().map(rank -> round + "/address/" + rank).toList(), timeout)
        .stream()
        .map(Address::decode)
        .toList();
  }

  /**
   * Waits until all members have come to a step; false if the round fails before. In the store, so
   * that the new group begins without a call, and a member that dies in here is found by asking for
   * its old mesh. The last one to come writes a key, which the others wait for: looking who is
   * missing costs all ranks bytes that grow with their number.
   */
  private boolean meet(String round, String step, Mesh mesh, List<Integer> members) {
    String key = round + step;
    store.append(key, encoded(List.of(membership.rank())));
    long start = System.nanoTime();
    for (int look = 0; !await(key + "/all", look); look++) {
      List<Integer> silent = silent(key, members);
      if (silent.isEmpty()) {
        store.set(key + "/all", NOTHING);
        return true;
      }
      if (isLost(round, silent, look) || mesh.failure().isPresent() || left(start).isZero()) {
        return false;
      }
    }
    return true;
  }

  /** Whether the round has failed at another member, or one of these is found to have ended. */
  private boolean isLost(String round, List<Integer> members, int look) {
    boolean failed = store.check(List.of(round + "/outcome")) && isFailed(round);
    return failed || inAskingOrder(members, look).stream().limit(QUESTIONS).anyMatch(this::isGone);
  }

  private boolean isFailed(String round) {
    return Arrays.equals(store.get(round + "/outcome", timeout), FAILED);
  }

  private static byte[] encoded(List<Integer> ranks) {
    ByteBuffer out = ByteBuffer.allocate(Integer.BYTES * ranks.size());
    ranks.forEach(out::putInt);
    return out.array();
  }

  private static List<Integer> decoded(byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value);
    List<Integer> ranks = new ArrayList<>();
    while (in.hasRemaining()) {
      ranks.add(in.getInt());
    }
    return ranks;
  }
}
