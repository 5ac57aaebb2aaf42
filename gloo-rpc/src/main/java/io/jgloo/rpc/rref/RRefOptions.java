package io.jgloo.rpc.rref;

import io.jgloo.rpc.RpcOptions;
import java.time.Duration;

/**
 * How remote references behave.
 *
 * @param timeout how long a creation or a fetch may take if it names no timeout
 * @param retryGap time before a control message without an answer is sent again; 1.5 times as long
 *     before each further time
 * @param attempts how often a control message is sent before it is given up, at least 1
 * @param lease how long an owner keeps the handles of an agent that it does not hear of; zero for
 *     no leases: then only the end of a process or of its connection ends them
 * @param creationStacks whether handles record where they were made, for {@link RRefs#leaks} and
 *     {@link RRefs#dump}; it costs some microseconds for each handle
 * @param gcHintHandles number of handles of other agents' values at which the JVM is asked to
 *     collect ({@link System#gc}), because handles that are not closed keep those values; 0 for
 *     never
 */
public record RRefOptions(
    Duration timeout,
    Duration retryGap,
    int attempts,
    Duration lease,
    boolean creationStacks,
    int gcHintHandles) {

  /** 60 s; 6 attempts, the first gap 1 s; no leases, no creation stacks, no hints. */
  public static final RRefOptions DEFAULTS =
      new RRefOptions(
          RpcOptions.DEFAULTS.timeout(), Duration.ofSeconds(1), 6, Duration.ZERO, false, 0);

  /**
   * @throws IllegalArgumentException if timeout, retryGap or attempts are not positive, or lease or
   *     gcHintHandles are negative
   */
  public RRefOptions {
    requirePositive("timeout", timeout);
    requirePositive("retryGap", retryGap);
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts must be at least 1, but are " + attempts);
    }
    if (lease.isNegative()) {
      throw new IllegalArgumentException("lease must not be negative, but is " + lease);
    }
    if (gcHintHandles < 0) {
      throw new IllegalArgumentException(
          "gcHintHandles must not be negative, but are " + gcHintHandles);
    }
  }

  private static void requirePositive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " must be positive, but is " + value);
    }
  }

  /** These options with another timeout of creations and fetches. */
  public RRefOptions withTimeout(Duration longest) {
    return new RRefOptions(longest, retryGap, attempts, lease, creationStacks, gcHintHandles);
  }

  /** These options with other retries. */
  public RRefOptions withRetries(Duration firstGap, int most) {
    return new RRefOptions(timeout, firstGap, most, lease, creationStacks, gcHintHandles);
  }

  /** These options with leases of this length. */
  public RRefOptions withLease(Duration length) {
    return new RRefOptions(timeout, retryGap, attempts, length, creationStacks, gcHintHandles);
  }

  /** These options with creation stacks or without. */
  public RRefOptions withCreationStacks(boolean recorded) {
    return new RRefOptions(timeout, retryGap, attempts, lease, recorded, gcHintHandles);
  }

  /** These options with a hint to the collector at this many handles. */
  public RRefOptions withGcHint(int handles) {
    return new RRefOptions(timeout, retryGap, attempts, lease, creationStacks, handles);
  }
}
