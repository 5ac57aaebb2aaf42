package io.jgloo.transport.engine;

import io.jgloo.transport.Clock;
import io.jgloo.transport.library.SystemCalls;
import java.io.IOException;
import java.util.function.IntSupplier;

/**
 * Offers a waiting thread's core to others, and leaves it to them if they take it again and again.
 *
 * <p>Two ranks that wait for each other by polling and yielding may stay on one core for seconds
 * while the next one idles: each always ran a moment ago, so the kernel's balancer takes it for
 * cache-hot and leaves it there, and in a virtual machine a thread that blocks is woken on the core
 * of the thread that wakes it. An exchange of 4 bytes then takes 20 us in place of 5 to 6, and 1
 * MiB 600 in place of 350 (two processes, two cores). After some yields that took long because
 * another thread ran, this thread asks the kernel for any other core, once, and is free to be moved
 * again. The kernel counts when another thread ran; the time alone does not tell, because packets
 * that have arrived may be handled in a yield. To ask in vain costs 10 to 20 us, so it asks ever
 * more rarely, down to every 20 ms.
 *
 * <p>Rejected alternative: to bind threads to cores, as launchers do; it is the user's decision,
 * and wrong as soon as the user's own threads compute between the calls. Not to yield, so that the
 * balancer sees two threads that compute: 60 us for 4 bytes until it acts, and wrong for more ranks
 * than cores.
 *
 * <p><i>Threads</i>: one at a time, the one that drives.
 */
public final class Placement {

  private static final System.Logger LOG = System.getLogger(Placement.class.getName());

  /**
   * A yield takes 0.3 to 0.6 us if no other thread runs, and at least 2 us if a polling rank does.
   */
  private static final long LONG_NANOS = 1_500;

  /** A yield that takes so long let several others run, or one that computes. */
  private static final long AWAY_NANOS = 20_000;

  /** Long yields, less short ones, after which a core counts as shared. */
  private static final int CROWD = 6;

  private static final long SHORTEST_PAUSE_NANOS = 1_000_000;
  private static final long LONGEST_PAUSE_NANOS = 20_000_000;

  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  private final Clock clock;
  private final boolean spreads; // else all is left to the kernel
  private final IntSupplier localRanks;
  private int crowd;
  private long preemptions;
  private long movedNanos;
  private long pauseNanos;
  private int ranks;

  private Placement(Clock clock, boolean spreads, IntSupplier localRanks) {
    this.clock = clock;
    this.spreads = spreads;
    this.localRanks = localRanks;
  }

  /** Leaves all to the kernel. */
  public static Placement kernels(Clock clock) {
    return new Placement(clock, false, () -> 0);
  }

  /**
   * Spreads ranks over cores, unless there are more ranks than cores.
   *
   * @param localRanks returns how many ranks there are on this host
   */
  public static Placement spreading(Clock clock, IntSupplier localRanks) {
    return new Placement(clock, Availability.YES, localRanks);
  }

  /** Checked and logged once in a JVM. */
  private static final class Availability {
    static final boolean YES = look();

    private static boolean look() {
      try {
        SystemCalls.check();
        return SystemCalls.core() >= 0;
      } catch (IOException e) {
        LOG.log(
            System.Logger.Level.INFO,
            "waiting threads cannot change their core (attribute placement): {0}",
            e.getMessage());
        return false;
      }
    }
  }

  /**
   * Lets others run, if any want to; only time depends on it, correctness does not.
   *
   * @return whether others had the core for long
   */
  @SuppressWarnings("ThreadPriorityCheck")
  public boolean offer() {
    long before = clock.nanoTime();
    Thread.yield();
    long now = clock.nanoTime();
    if (!spreads) {
      return now - before >= AWAY_NANOS;
    }
    if (now - before < LONG_NANOS || !othersRan()) {
      crowd = Math.max(0, crowd - 1);
    } else if (++crowd >= CROWD) {
      crowd = 0;
      leave(now);
    }
    return now - before >= AWAY_NANOS;
  }

  private boolean othersRan() {
    long before = preemptions;
    preemptions = SystemCalls.preemptions();
    return preemptions != before;
  }

  private void leave(long now) {
    long since = now - movedNanos;
    if (since < pauseNanos) {
      return;
    }
    boolean again = since < 100 * pauseNanos;
    pauseNanos = again ? Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS) : SHORTEST_PAUSE_NANOS;
    movedNanos = now;
    if (ranks == 0) {
      ranks = localRanks.getAsInt();
    }
    if (ranks <= PROCESSORS && SystemCalls.leaveCore() < 0) {
      LOG.log(System.Logger.Level.WARNING, "cannot allow the former core to this thread again");
    }
  }
}
