package io.jgloo.rendezvous;

import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.Clock;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.ProtocolException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Finds the ranks in whose place a live process of another job, or with another secret, has
 * registered.
 *
 * <p>The join fails when such a record has been known for 3 s. Rejected alternative: to fail at
 * once; this rank's record would be gone before the other process has read it, and that one would
 * only find that a rank is missing.
 *
 * <p>Threads: one. Fails: as {@link LivenessCheck}.
 */
final class ForeignRecords {
  private static final Logger LOG = System.getLogger(ForeignRecords.class.getName());
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final RankRecord own;
  private final RankKeys keys;
  private final LivenessCheck liveness;
  private final Clock clock;
  private final Map<Integer, String> reasons = new TreeMap<>();
  private @Nullable Deadline deadline;

  ForeignRecords(RankRecord own, RankKeys keys, LivenessCheck liveness, Clock clock) {
    this.own = own;
    this.keys = keys;
    this.liveness = liveness;
    this.clock = clock;
  }

  /**
   * The identity of a value in place of a rank's record that is not of this job; null if it is.
   *
   * @param seen identity of the value that was read before, or null
   */
  @Nullable UUID evaluate(int rank, byte[] value, @Nullable UUID seen) {
    String reason = keys.whyForeign(rank, value).orElse(null);
    if (reason == null) {
      return null;
    }
    UUID identity = UUID.nameUUIDFromBytes(value);
    if (!identity.equals(seen)) {
      LOG.log(Level.INFO, "{0} ignores the record of rank {1}: {2}", own, rank, reason);
      if (isAlive(rank, value)) {
        reasons.put(rank, reason);
        deadline = deadline == null ? Deadline.after(PATIENCE, clock) : deadline;
      }
    }
    return identity;
  }

  /**
   * Whether the value in place of this rank's record is not of this job, and no live process's.
   *
   * @throws AuthenticationException if it is a live process's
   */
  boolean isReplaceable(int rank, byte[] value) {
    String reason = keys.whyForeign(rank, value).orElse(null);
    if (reason != null && isAlive(rank, value)) {
      throw failure(rank, reason);
    }
    return reason != null;
  }

  private boolean isAlive(int rank, byte[] value) {
    try {
      return liveness.isAlive(keys.decode(rank, value));
    } catch (ProtocolException e) {
      LOG.log(Level.DEBUG, "{0} finds no record: {1}", own, e.getMessage());
      return false;
    }
  }

  /** The rank of this job has come. */
  void remove(int rank) {
    reasons.remove(rank);
    deadline = reasons.isEmpty() ? null : deadline;
  }

  /**
   * @throws AuthenticationException if there is such a record, and the other side has had time to
   *     read this rank's
   */
  void requireNoneDue() {
    if (deadline != null && deadline.passed()) {
      throw first().orElseThrow();
    }
  }

  /**
   * The reason for a join that has not succeeded, if there is such a record, or if a process did
   * not prove to be of this job.
   *
   * @param unconnected how the last attempt to connect failed, or null
   */
  Optional<JGlooException> failure(@Nullable MeshConnectException unconnected) {
    if (!reasons.isEmpty() || unconnected == null) {
      return first().map(JGlooException.class::cast);
    }
    return unconnected.causes().values().stream()
        .filter(AuthenticationException.class::isInstance)
        .findFirst()
        .map(cause -> cause.again(own + " cannot connect"));
  }

  private Optional<AuthenticationException> first() {
    return reasons.entrySet().stream()
        .findFirst()
        .map(first -> failure(first.getKey(), first.getValue()));
  }

  private AuthenticationException failure(int rank, String reason) {
    return new AuthenticationException(
        own + ": the record of rank " + rank + " in the store is not of this job: " + reason);
  }
}
