package io.jgloo.transport.sim;

import java.time.Duration;

/**
 * The model of a link from one rank to another.
 *
 * <p>Each frame's delay is drawn between both bounds, so links overtake each other; frames of one
 * mesh between the same two ranks never do.
 *
 * @param leastDelayNanos shortest delay
 * @param mostDelayNanos longest delay, unless frames before it take longer
 * @param bytesPerSecond how fast a rank can put bytes on this link, at least 1
 */
public record LinkModel(long leastDelayNanos, long mostDelayNanos, double bytesPerSecond) {

  /** 5 to 50 us, 5 GB/s: a good network with some jitter. */
  public static final LinkModel DEFAULT = new LinkModel(5_000, 50_000, 5e9);

  /**
   * @throws IllegalArgumentException if the delays are no range or the rate is less than 1
   */
  public LinkModel {
    if (leastDelayNanos < 0 || mostDelayNanos < leastDelayNanos) {
      throw new IllegalArgumentException(
          "delays must be a range from 0 up, but are %d to %d ns"
              .formatted(leastDelayNanos, mostDelayNanos));
    }
    if (!(bytesPerSecond >= 1)) {
      throw new IllegalArgumentException(
          "bytesPerSecond must be at least 1, but is " + bytesPerSecond);
    }
  }

  /** The same rate with other delays. */
  public LinkModel delay(Duration least, Duration most) {
    return new LinkModel(least.toNanos(), most.toNanos(), bytesPerSecond);
  }

  /** The same delays with another rate. */
  public LinkModel rate(double newBytesPerSecond) {
    return new LinkModel(leastDelayNanos, mostDelayNanos, newBytesPerSecond);
  }

  long nanosFor(long bytes) {
    return (long) (bytes * 1e9 / bytesPerSecond);
  }
}
