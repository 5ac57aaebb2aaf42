package io.jgloo.transport;

/** Monotonic time in nanoseconds: the system's, or a simulator's. */
@FunctionalInterface
public interface Clock {

  /** The machine's monotonic clock; wall-clock jumps never reach a deadline. */
  Clock SYSTEM = System::nanoTime;

  /** An instant in nanoseconds; only differences mean anything. */
  long nanoTime();
}
