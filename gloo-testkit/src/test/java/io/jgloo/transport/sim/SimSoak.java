package io.jgloo.transport.sim;

import io.jgloo.transport.memory.GuardedMemory;
import io.jgloo.transport.memory.Memory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Runs seeds until the time is over, several at a time, and says which have failed.
 *
 * <p>{@code mvn -o -q -pl gloo-testkit -am test -Dtest=SimSoakTest -Djgloo.sim.seconds=600
 * -Dsurefire.failIfNoSpecifiedTests=false} runs for ten minutes; {@code -Djgloo.sim.seed=N} runs
 * one seed and prints its trace.
 */
final class SimSoak {

  private static final int MOST_FAILURES = 5;

  private final Map<Long, Throwable> failures = new ConcurrentSkipListMap<>();
  private final AtomicLong seeds;
  private final AtomicLong events = new AtomicLong();
  private final AtomicInteger failedGroups = new AtomicInteger();
  private final long first;
  private long nanos;

  SimSoak(long first) {
    this.first = first;
    seeds = new AtomicLong(first);
  }

  /** Runs seeds while a condition holds and few have failed. */
  SimSoak run(int threads, BooleanSupplier goesOn) {
    long start = System.nanoTime();
    long memory = Memory.allocatedBytes();
    try (GuardedMemory guard = SeededRun.guardedMemory()) {
      List<Thread> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        Thread thread = new Thread(() -> work(guard, goesOn), "soak-" + i);
        thread.setDaemon(true);
        thread.start();
        all.add(thread);
      }
      for (Thread thread : all) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    nanos = System.nanoTime() - start;
    long leak = Memory.allocatedBytes() - memory;
    if (failures.isEmpty() && leak != 0) {
      failures.put(first, new AssertionError(leak + " bytes leaked by one of " + count()));
    }
    return this;
  }

  private void work(GuardedMemory guard, BooleanSupplier goesOn) {
    while (goesOn.getAsBoolean() && failures.size() < MOST_FAILURES) {
      long seed = seeds.getAndIncrement();
      try {
        SeededRun run = new SeededRun(seed);
        run.play();
        guard.check();
        events.addAndGet(run.events());
        failedGroups.addAndGet(run.failed() ? 1 : 0);
      } catch (RuntimeException | Error e) {
        failures.put(seed, e);
      }
    }
  }

  /** Seeds run so far. */
  long count() {
    return seeds.get() - first;
  }

  /** Groups that failed, as their faults let them. */
  int failedGroups() {
    return failedGroups.get();
  }

  /** What each seed that failed has thrown. */
  Map<Long, Throwable> failures() {
    return failures;
  }

  @Override
  public String toString() {
    return "sim: %d seeds, %d events, %d groups failed by faults, %.1f s, %.0f seeds a minute"
        .formatted(count(), events.get(), failedGroups.get(), nanos / 1e9, count() * 60e9 / nanos);
  }

  /**
   * The first seed of a range that fails, and how; for a copy of these classes in another loader.
   */
  static String firstFailure(long first, long count, Duration most) {
    long end = System.nanoTime() + most.toNanos();
    for (long seed = first; seed < first + count && System.nanoTime() - end < 0; seed++) {
      try (GuardedMemory guard = SeededRun.guardedMemory()) {
        new SeededRun(seed).play();
        guard.check();
      } catch (RuntimeException | Error e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        return seed + " " + text;
      }
    }
    return null;
  }
}
