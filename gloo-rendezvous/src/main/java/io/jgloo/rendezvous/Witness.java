package io.jgloo.rendezvous;

import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.transport.Device;
import io.jgloo.transport.GlooException;
import io.jgloo.transport.Liveness;
import io.jgloo.transport.ProtocolException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Future;

/**
 * Tells whether anybody stands behind a record, or a run that crashed has left it.
 *
 * <p>It asks the device, whether the record's mesh exists; where that cannot tell, it looks at the
 * record's lease, which the owner moves while it connects.
 *
 * <p>Threads: one asks; the clerk's move the lease. Fails: as {@link RankKeys}.
 */
final class Witness {
  private static final Logger LOG = System.getLogger(Witness.class.getName());

  private static final Duration LEASE_PERIOD = Duration.ofMillis(200);
  private static final Duration LEASE_ENDS = Duration.ofSeconds(1);
  private static final Duration PROBE = Duration.ofSeconds(1);

  private final Device device;
  private final RankKeys keys;
  private final StoreClerk clerk;
  private final Deadline deadline;

  Witness(Device device, RankKeys keys, StoreClerk clerk, Deadline deadline) {
    this.device = device;
    this.keys = keys;
    this.clerk = clerk;
    this.deadline = deadline;
  }

  /** Moves the lease of one's own record until the result is cancelled. */
  Future<?> keepAlive(RankRecord own) {
    return clerk.repeat(
        LEASE_PERIOD,
        () -> {
          try {
            keys.moveLease(own);
          } catch (GlooException e) {
            LOG.log(Level.DEBUG, "the lease of {0} was not moved: {1}", own, e.getMessage());
          }
        });
  }

  /** Whether somebody stands behind the record; takes two seconds at most. */
  boolean isAlive(RankRecord record) {
    Liveness liveness = ask(record, shorter(PROBE, deadline.remaining()));
    return liveness == Liveness.UNKNOWN ? leaseMoves(record) : liveness == Liveness.ALIVE;
  }

  /** Whether the device knows that nobody stands behind the record. */
  boolean isGone(RankRecord record, Duration timeout) {
    return ask(record, timeout) == Liveness.GONE;
  }

  private Liveness ask(RankRecord record, Duration timeout) {
    if (!record.address().device().equals(device.name())) {
      return Liveness.UNKNOWN;
    }
    try {
      return device.liveness(record.address(), timeout);
    } catch (ProtocolException e) {
      LOG.log(Level.DEBUG, "{0} cannot be asked: {1}", record, e.getMessage());
      return Liveness.UNKNOWN;
    }
  }

  private boolean leaseMoves(RankRecord record) {
    Optional<byte[]> before = lease(record);
    Deadline ends = Deadline.after(shorter(LEASE_ENDS, deadline.remaining()));
    while (!ends.passed()) {
      clerk.pause(shorter(LEASE_PERIOD, ends.remaining()));
      Optional<byte[]> now = lease(record);
      if (now.isPresent() && !(before.isPresent() && Arrays.equals(before.get(), now.get()))) {
        return true;
      }
    }
    return false;
  }

  private Optional<byte[]> lease(RankRecord record) {
    return keys.lease(record, deadline.orAtLeast(Rendezvous.GRACE));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
