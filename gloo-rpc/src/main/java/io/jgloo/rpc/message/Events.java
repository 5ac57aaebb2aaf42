package io.jgloo.rpc.message;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the events of a messenger one after another, in the thread that happens to add one.
 *
 * <p>A thread that finds another one at work leaves its event there and goes on, so no thread ever
 * waits for a lock, and code of users can run as part of an event. A queue and a thread of its own
 * would cost each call two hand-overs, 12 to 25 us each.
 *
 * <p><i>Threads</i>: any. Memory: what an event did before {@code running} is cleared (a volatile
 * write) is seen by the next thread that sets it (compare-and-set).
 */
final class Events {

  /** Something that happens to a messenger. */
  interface Event {
    void happen();
  }

  /** Events after which what follows is due, even if there are more: other threads may add on. */
  private static final int RUN = 128;

  private static final Event NOTHING = () -> {};

  private final ConcurrentLinkedQueue<Event> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean running = new AtomicBoolean();
  private final Runnable afterwards;
  private final Consumer<Throwable> failed;
  private volatile @Nullable Thread runner;

  /**
   * @param afterwards what follows a run of events, such as sending what they have made
   * @param failed hears of what an event throws
   */
  Events(Runnable afterwards, Consumer<Throwable> failed) {
    this.afterwards = afterwards;
    this.failed = failed;
  }

  /** Adds an event, to be run by {@link #run}. */
  void add(Event event) {
    queue.add(event);
  }

  /** Adds an event and runs it, unless another thread does. */
  void run(Event event) {
    queue.add(event);
    run();
  }

  /** Lets what follows a run of events happen, if no thread runs events. */
  void poke() {
    if (!running.get()) {
      run(NOTHING);
    }
  }

  /** Whether the calling thread runs events. */
  boolean isRunner() {
    return runner == Thread.currentThread();
  }

  /** Runs the events, and what follows, unless another thread is at it. */
  void run() {
    while (!queue.isEmpty() && !running.get() && running.compareAndSet(false, true)) {
      runner = Thread.currentThread();
      try {
        Event event = queue.poll();
        for (int i = 1; event != null; i++) {
          guarded(event);
          event = i < RUN ? queue.poll() : null;
        }
        guarded(afterwards::run);
      } finally {
        runner = null;
        running.set(false);
      }
    }
  }

  private void guarded(Event event) {
    try {
      event.happen();
    } catch (Throwable e) { // an error of one event must not leave the others in the queue
      failed.accept(e);
    }
  }
}
