package io.jgloo.transport.sim;

import io.jgloo.transport.InterruptedOperationException;
import java.util.ArrayList;
import java.util.List;

/** The threads of a world: starts them, waits for them, and gathers what they throw. */
final class Crew {

  /** What a thread does. */
  @FunctionalInterface
  interface Body {
    void run() throws Exception;
  }

  private static final long LOOK_MILLIS = 10;

  /** A strand that blocks elsewhere at this many looks in a row loses its turn. */
  private static final int STUCK_LOOKS = 5;

  private final Scheduler scheduler;
  private final long seed;
  private final List<SimThread> threads = new ArrayList<>();
  private final List<RankFailure> failures = new ArrayList<>();

  Crew(Scheduler scheduler, long seed) {
    this.scheduler = scheduler;
    this.seed = seed;
  }

  /** Starts a thread of a rank; it runs when its turn comes. The lock is held. */
  Thread start(Node node, String name, Body body) {
    SimThread thread = new SimThread(() -> live(node, body), name);
    thread.scheduler = scheduler;
    thread.strand = scheduler.turns().newStrand(thread, node);
    threads.add(thread);
    thread.start();
    return thread;
  }

  private void live(Node node, Body body) {
    Strand self = ((SimThread) Thread.currentThread()).strand;
    scheduler.turns().begin(self);
    try {
      body.run();
    } catch (RankCrash crash) {
      if (!node.hasCrashed()) {
        fail(node, crash);
      }
    } catch (Exception | Error e) {
      fail(node, e);
    } finally {
      scheduler.turns().end(self);
    }
  }

  private void fail(Node node, Throwable cause) {
    scheduler.scheduled(() -> failures.add(new RankFailure(node.rank(), seed, cause)));
  }

  /**
   * Waits for the end of all threads, and lets others go on when one blocks elsewhere.
   *
   * @throws RankFailure with the first exception of a thread, the others suppressed
   */
  void watch(Faults faults) {
    Strand suspect = null;
    long turns = 0;
    int looks = 0;
    for (SimThread next = firstAlive(); next != null; next = firstAlive()) {
      try {
        next.join(LOOK_MILLIS);
      } catch (InterruptedException e) {
        faults.killAll();
        Thread.currentThread().interrupt();
        throw new InterruptedOperationException("the world was interrupted", e);
      }
      scheduler.lock.lock();
      try {
        Strand stuck = scheduler.turns().stuck();
        boolean same = stuck != null && stuck == suspect && scheduler.turns().count() == turns;
        looks = same ? looks + 1 : 0;
        suspect = stuck;
        turns = scheduler.turns().count();
        if (looks >= STUCK_LOOKS) {
          scheduler.turns().revoke(stuck);
        }
        scheduler.turns().kick();
      } finally {
        scheduler.lock.unlock();
      }
    }
    throwFailures();
  }

  private void throwFailures() {
    if (!failures.isEmpty()) {
      RankFailure first = failures.get(0);
      failures.subList(1, failures.size()).forEach(first::addSuppressed);
      failures.clear();
      throw first;
    }
  }

  private SimThread firstAlive() {
    scheduler.lock.lock();
    try {
      threads.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
      return threads.isEmpty() ? null : threads.get(0);
    } finally {
      scheduler.lock.unlock();
    }
  }
}
