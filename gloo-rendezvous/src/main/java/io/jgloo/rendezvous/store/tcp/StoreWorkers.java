package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.store.StoreTimeoutException;
import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.rendezvous.time.Interruption;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The counter of processes that have joined a PyTorch store, kept under {@code init/}, the only key
 * without a slash before it.
 *
 * <p>Threads: any. Owns: nothing.
 */
final class StoreWorkers {
  private static final String KEY = "init/";
  private static final long PAUSE_NANOS = Duration.ofMillis(10).toNanos(); // as PyTorch's server

  private final StoreConnectionPool pool;
  private final Duration storeTimeout;

  StoreWorkers(StoreConnectionPool pool, Duration storeTimeout) {
    this.pool = pool;
    this.storeTimeout = storeTimeout;
  }

  /** Adds to the counter and returns it. */
  long add(long delta) {
    return add(delta, Deadline.after(storeTimeout));
  }

  /** Adds to the counter by a deadline and returns it. */
  long add(long delta, Deadline deadline) {
    return pool.call(
        "join",
        deadline,
        connection -> {
          connection.send(
              new StoreRequestBuffer().opcode(StoreOpcode.ADD).rawKey(KEY).number(delta), deadline);
          return connection.readNumber(deadline);
        });
  }

  /** Returns once the counter has reached {@code count}. */
  void await(int count, Duration timeout) {
    Deadline deadline = Deadline.after(timeout);
    while (true) {
      long joined = add(0);
      if (joined >= count) {
        return;
      }
      if (deadline.passed()) {
        throw new StoreTimeoutException(timeout, joined, count);
      }
      if (Thread.currentThread().isInterrupted()) {
        throw Interruption.during("waiting for workers", null);
      }
      LockSupport.parkNanos(Math.min(PAUSE_NANOS, Math.max(1, deadline.remainingNanos())));
    }
  }
}
