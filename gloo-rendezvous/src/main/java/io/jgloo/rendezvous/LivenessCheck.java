package io.jgloo.rendezvous;

import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.transport.Device;
import io.jgloo.transport.Device.Liveness;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.ProtocolException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Future;

/**
 * Checks whether the owner of a record is alive, or a crashed run has left the record.
 *
 * <p>The device reports whether the record's mesh exists. If it cannot, the record's lease is read
 * repeatedly; the owner increments it while it connects.
 *
 * <p>Threads: one calls; the store executor's increment the lease. Fails: as {@link RankKeys}.
 */
final class LivenessCheck {
  private static final Logger LOG = System.getLogger(LivenessCheck.class.getName());

  private static final long LEAST_PERIOD_MILLIS = 200;
  private static final long MOST_PERIOD_MILLIS = 2000;
  private static final int PERIODS = 5;
  private static final Duration PROBE = Duration.ofSeconds(1);

  private final Device device;
  private final RankKeys keys;
  private final StoreExecutor executor;
  private final Deadline deadline;

  LivenessCheck(Device device, RankKeys keys, StoreExecutor executor, Deadline deadline) {
    this.device = device;
    this.keys = keys;
    this.executor = executor;
    this.deadline = deadline;
  }

  /** Increments the lease of this rank's record until the result is cancelled. */
  Future<?> keepAlive(RankRecord own) {
    return executor.repeat(
        leasePeriod(own),
        () -> {
          try {
            keys.moveLease(own);
          } catch (JGlooException e) {
            LOG.log(Level.DEBUG, "the lease of {0} was not incremented: {1}", own, e.getMessage());
          }
        });
  }

  /**
   * Whether the owner of the record is alive; takes at most a second and five periods of its lease.
   */
  boolean isAlive(RankRecord record) {
    Liveness liveness = probe(record, deadline.remaining(PROBE));
    return liveness == Liveness.UNKNOWN ? leaseMoves(record) : liveness == Liveness.ALIVE;
  }

  /** Whether the device reports that the owner of the record does not exist. */
  boolean isGone(RankRecord record, Duration timeout) {
    return probe(record, timeout) == Liveness.GONE;
  }

  private Liveness probe(RankRecord record, Duration timeout) {
    if (!record.address().device().equals(device.name())) {
      return Liveness.UNKNOWN;
    }
    try {
      return device.liveness(record.address(), timeout);
    } catch (ProtocolException e) {
      LOG.log(Level.DEBUG, "the liveness of {0} cannot be checked: {1}", record, e.getMessage());
      return Liveness.UNKNOWN;
    }
  }

  private boolean leaseMoves(RankRecord record) {
    Optional<byte[]> before = lease(record);
    Duration period = leasePeriod(record);
    Duration patience = deadline.remaining(period.multipliedBy(PERIODS));
    Deadline ends = Deadline.after(patience, device.clock());
    while (!ends.passed()) {
      executor.pause(ends.remaining(period));
      Optional<byte[]> now = lease(record);
      if (now.isPresent() && !(before.isPresent() && Arrays.equals(before.get(), now.get()))) {
        return true;
      }
    }
    return false;
  }

  /** By the size of the group, so that 1,000 ranks make at most 500 requests a second. */
  private static Duration leasePeriod(RankRecord record) {
    long millis = Math.min(MOST_PERIOD_MILLIS, 2L * record.size());
    return Duration.ofMillis(Math.max(LEAST_PERIOD_MILLIS, millis));
  }

  private Optional<byte[]> lease(RankRecord record) {
    return keys.lease(record, deadline.orAtLeast(Rendezvous.GRACE));
  }
}
