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
 */
public record RRefOptions(Duration timeout, Duration retryGap, int attempts, Duration lease) {

  /** 60 s; 6 attempts, the first gap 1 s; no leases. */
  public static final RRefOptions DEFAULTS =
      new RRefOptions(RpcOptions.DEFAULTS.timeout(), Duration.ofSeconds(1), 6, Duration.ZERO);

  /**
   * @throws IllegalArgumentException if timeout, retryGap or attempts are not positive, or lease is
   *     negative
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
  }

  private static void requirePositive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " must be positive, but is " + value);
    }
  }

  /** These options with another timeout of creations and fetches. */
  public RRefOptions withTimeout(Duration longest) {
    return new RRefOptions(longest, retryGap, attempts, lease);
  }

  /** These options with other retries. */
  public RRefOptions withRetries(Duration firstGap, int most) {
    return new RRefOptions(timeout, firstGap, most, lease);
  }

  /** These options with leases of this length. */
  public RRefOptions withLease(Duration length) {
    return new RRefOptions(timeout, retryGap, attempts, length);
  }
}
