package io.jgloo.rpc.message;

import io.jgloo.transport.ClosedException;
import io.jgloo.transport.CompletionQueue;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The two threads of a messenger: one moves messages while no caller does, one connects to peers.
 *
 * <p>A thread that waits for a reply moves the messages itself. Taking that over from another
 * thread costs 20 us and more, so the mover stays away until no thread has waited for 0.2 ms.
 *
 * <p><i>Threads</i>: any.
 */
final class MessengerThreads {

  private static final long RECENT_NANOS = 200_000;
  private static final long GAP_NANOS = 100_000;
  private static final long BUSY_NANOS = 500_000;
  private static final long STOP_MILLIS = 2000;

  private final MessengerState core;
  private final Directory directory;
  private final Thread mover;
  private final Thread connector;
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile long lastWait;
  private volatile boolean stopped;

  MessengerThreads(MessengerState core, Directory directory, String name) {
    this.core = core;
    this.directory = directory;
    lastWait = core.clock.nanoTime() - RECENT_NANOS;
    mover = new Thread(this::move, name);
    connector = new Thread(() -> directory.run(() -> stopped), name + "-connect");
    for (Thread thread : List.of(mover, connector)) {
      thread.setDaemon(true);
    }
  }

  void start() {
    mover.start();
    connector.start();
  }

  boolean await(CompletionQueue.Condition condition, long deadlineNanos) {
    waiting.incrementAndGet();
    try {
      return core.port.await(condition, deadlineNanos);
    } finally {
      lastWait = core.clock.nanoTime();
      waiting.decrementAndGet();
    }
  }

  private void move() {
    while (!stopped) {
      long now = core.clock.nanoTime();
      boolean recent = waiting.get() > 0 || now - lastWait < RECENT_NANOS;
      if (now - core.links.nextTimer() >= 0) {
        core.events.poke(); // what follows any event looks at the time
      }
      if (recent) {
        LockSupport.parkNanos(this, waiting.get() > 0 ? BUSY_NANOS : GAP_NANOS);
      } else {
        long timer = core.links.nextTimer();
        moveUntil(timer - now > 0 ? timer : now + GAP_NANOS);
      }
    }
  }

  private void moveUntil(long timer) {
    try {
      core.port.progress(() -> stopped || core.links.nextTimer() - timer < 0, timer);
    } catch (ClosedException e) {
      stopped = true;
    }
  }

  /** Stops both; they end within about a second. */
  void stop() {
    stopped = true;
    core.port.wakeup();
    directory.wakeup();
    LockSupport.unpark(mover);
    boolean interrupted = false;
    for (Thread thread : List.of(mover, connector)) {
      try {
        thread.join(STOP_MILLIS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
