package io.jgloo.rendezvous;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreKeys;
import java.time.Duration;

/**
 * How a {@link Context} connects to the other ranks; the same on all ranks.
 *
 * @param group name of the group, in error messages and before its keys in the store
 * @param epoch incarnation of the group: survivors of a failure connect again at epoch + 1
 * @param timeout how long to wait for the other ranks
 */
public record ContextOptions(String group, long epoch, Duration timeout) {
  /** The group {@code world}, for the first time, within 5 minutes. */
  public static final ContextOptions DEFAULT =
      new ContextOptions("world", 0, Store.DEFAULT_TIMEOUT);

  /** Refuses an empty group, a negative epoch, and a timeout of zero or less. */
  public ContextOptions {
    if (group == null || group.isEmpty()) {
      throw new IllegalArgumentException("group must not be empty");
    }
    StoreKeys.require(group);
    if (epoch < 0) {
      throw new IllegalArgumentException("epoch must not be negative, is " + epoch);
    }
    if (timeout == null || timeout.isZero() || timeout.isNegative()) {
      throw new IllegalArgumentException("timeout must be positive, is " + timeout);
    }
  }

  /** These options for another group. */
  public ContextOptions withGroup(String group) {
    return new ContextOptions(group, epoch, timeout);
  }

  /** These options for another incarnation of the group. */
  public ContextOptions withEpoch(long epoch) {
    return new ContextOptions(group, epoch, timeout);
  }

  /** These options with another timeout. */
  public ContextOptions withTimeout(Duration timeout) {
    return new ContextOptions(group, epoch, timeout);
  }
}
