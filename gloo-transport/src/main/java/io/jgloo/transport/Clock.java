package io.jgloo.transport;

import java.time.Duration;

/** Monotonic time in nanoseconds: the system's, or a simulator's. */
@FunctionalInterface
public interface Clock {

  /** The machine's monotonic clock; wall-clock jumps never reach a deadline. */
  Clock SYSTEM = System::nanoTime;

  /** An instant in nanoseconds; only differences mean anything. */
  long nanoTime();

  /**
   * A timeout in nanoseconds, 73 years at most, so that two of them and an instant can be added.
   */
  static long nanos(Duration timeout) {
    Duration longest = Duration.ofNanos(Long.MAX_VALUE / 4);
    return (timeout.compareTo(longest) > 0 ? longest : timeout).toNanos();
  }
}
