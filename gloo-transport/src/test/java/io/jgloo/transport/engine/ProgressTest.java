package io.jgloo.transport.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.CompletionQueue.Condition;
import io.jgloo.transport.InterruptedOperationException;
import io.jgloo.transport.ThreadRanks;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The duty to make progress goes from thread to thread and is never lost.
 *
 * <p>A waiter that is not woken looks for itself after 50 ms, so a lost wake-up is no hang but a
 * delay. That is why thousands of hand-overs must fit into the time of a hundred such delays.
 */
@Timeout(100)
class ProgressTest {

  private static final long LONG_NANOS = 60_000_000_000L;

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

  @AfterEach
  void stopTheTimer() {
    timer.shutdownNow();
  }

  private void inTime(Network network, Letter letter, long nanos) {
    // An exception in there leaves a condition unmet, which the tests detect.
    var unused = timer.schedule(() -> network.arrive(letter), nanos, TimeUnit.NANOSECONDS);
  }

  /** A condition that is met when the driver takes its letter from the network. */
  private static final class Letter implements Condition {
    private volatile boolean delivered;

    @Override
    public boolean isMet() {
      return delivered;
    }
  }

  /** Stands for a poller: letters arrive, and the driver delivers them to all threads. */
  private static final class Network implements Source {
    private final ConcurrentLinkedQueue<Letter> arrived = new ConcurrentLinkedQueue<>();
    private final AtomicInteger drivers = new AtomicInteger();
    private final Object news = new Object();
    private boolean woken;
    private final Progress progress =
        new Progress(this, Platform.SYSTEM, 1000, Placement.kernels(Platform.SYSTEM), null);

    void arrive(Letter... letters) {
      arrived.addAll(List.of(letters));
      wakeup();
    }

    @Override
    public boolean look() {
      assertEquals(1, drivers.incrementAndGet(), "two threads drive");
      try {
        return deliver() > 0;
      } finally {
        drivers.decrementAndGet();
      }
    }

    @Override
    public void block(long nanos) {
      assertEquals(1, drivers.incrementAndGet(), "two threads drive");
      try {
        await(nanos);
        deliver();
      } finally {
        drivers.decrementAndGet();
      }
    }

    @Override
    public void close() {}

    private int deliver() {
      int count = 0;
      for (Letter letter = arrived.poll(); letter != null; letter = arrived.poll()) {
        letter.delivered = true;
        count++;
      }
      return count;
    }

    private void await(long nanos) {
      synchronized (news) {
        try {
          if (!woken && nanos > 0) {
            TimeUnit.NANOSECONDS.timedWait(news, nanos);
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        woken = false;
      }
    }

    @Override
    public void wakeup() {
      synchronized (news) {
        woken = true;
        news.notifyAll();
      }
    }
  }

  private static <T> CompletableFuture<T> inThread(Callable<T> body) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(body.call());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return result;
  }

  private static <T> T in(long seconds, CompletableFuture<T> result) throws Exception {
    try {
      return result.get(seconds, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("not within " + seconds + " s; threads:\n" + ThreadRanks.dump(), e);
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
  }

  private static long soon(long nanos) {
    return System.nanoTime() + nanos;
  }

  /** Threads wait for letters that come from a thread that waits for nothing. */
  @Test
  void twentyThousandConditionsOfFiveThreads() throws Exception {
    Network network = new Network();
    List<CompletableFuture<Void>> waiting = new ArrayList<>();
    for (int thread = 0; thread < 5; thread++) {
      SplittableRandom random = new SplittableRandom(thread);
      waiting.add(
          inThread(
              () -> {
                for (int i = 0; i < 4000; i++) {
                  Letter letter = new Letter();
                  if (random.nextBoolean()) {
                    network.arrive(letter);
                  } else {
                    inTime(network, letter, random.nextInt(100_000));
                  }
                  assertTrue(network.progress.await(letter, null, null, soon(LONG_NANOS)));
                }
                return null;
              }));
    }
    for (CompletableFuture<Void> each : waiting) {
      in(60, each);
    }
    assertTrue(network.progress.take(), "the progress lock is still held");
  }

  /**
   * The conditions of the driver and of the first parked thread are met in the same step, so both
   * leave; the remaining thread must be woken to drive, though it was not first.
   */
  @Test
  void remainingThreadTakesTheLockAtOnce() throws Exception {
    Network network = new Network();
    CompletableFuture<Void> rounds =
        inThread(
            () -> {
              for (int round = 0; round < 600; round++) {
                threeWait(network);
              }
              return null;
            });
    in(20, rounds);
  }

  private static void threeWait(Network network) throws Exception {
    Letter[] letters = {new Letter(), new Letter(), new Letter()};
    List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
    for (Letter letter : letters) {
      CompletableFuture<Thread> thread = new CompletableFuture<>();
      waiting.add(
          inThread(
              () -> {
                thread.complete(Thread.currentThread());
                return network.progress.await(letter, null, null, soon(LONG_NANOS));
              }));
      while (thread.get().getState() == Thread.State.RUNNABLE) {
        LockSupport.parkNanos(10_000);
      }
    }
    network.arrive(letters[0], letters[1]);
    assertTrue(in(60, waiting.get(0)));
    assertTrue(in(60, waiting.get(1)));
    network.arrive(letters[2]);
    assertTrue(in(60, waiting.get(2)));
  }

  /** Interrupts hit the driver, spinning and parked threads; the others make progress. */
  @Test
  void interruptedThreadsDoNotTakeTheProgressLock() throws Exception {
    Network network = new Network();
    AtomicInteger interrupted = new AtomicInteger();
    List<Thread> victims = new ArrayList<>();
    CompletableFuture<Void> over = new CompletableFuture<>();
    for (int thread = 0; thread < 3; thread++) {
      Thread victim =
          new Thread(
              () -> {
                while (!over.isDone()) {
                  try {
                    network.progress.await(new Letter(), null, null, soon(LONG_NANOS));
                  } catch (InterruptedOperationException e) {
                    assertTrue(Thread.interrupted(), "the flag was lost");
                    interrupted.incrementAndGet();
                  }
                }
              });
      victim.setDaemon(true);
      victim.start();
      victims.add(victim);
    }
    CompletableFuture<Void> unrelated =
        inThread(
            () -> {
              for (int i = 0; i < 2000; i++) {
                Letter letter = new Letter();
                victims.get(i % 3).interrupt();
                inTime(network, letter, 50_000);
                assertTrue(network.progress.await(letter, null, null, soon(LONG_NANOS)));
              }
              return null;
            });
    in(60, unrelated);
    over.complete(null);
    victims.forEach(Thread::interrupt);
    for (Thread victim : victims) {
      victim.join(20_000);
      assertFalse(victim.isAlive());
    }
    assertTrue(interrupted.get() > 100, () -> interrupted + " interrupts only");
  }

  /** A waiting thread gets the progress lock from a background driver at once. */
  @Test
  void backgroundProgressYieldsToAWaitingThread() throws Exception {
    Network network = new Network();
    Letter last = new Letter();
    CompletableFuture<Void> background =
        inThread(
            () -> {
              while (!last.isMet()) {
                network.progress.awaitInBackground(last, null, null, soon(LONG_NANOS));
              }
              return null;
            });
    CompletableFuture<Void> waiting =
        inThread(
            () -> {
              for (int i = 0; i < 3000; i++) {
                Letter letter = new Letter();
                inTime(network, letter, 20_000);
                assertTrue(network.progress.await(letter, null, null, soon(LONG_NANOS)));
              }
              return null;
            });
    in(60, waiting);
    network.arrive(last);
    in(20, background);
  }

  /** A condition that another thread meets, without progress. */
  @Test
  void signalsReachDriversAndThoseWhoStandBy() throws Exception {
    Network network = new Network();
    for (int round = 0; round < 1000; round++) {
      Letter[] letters = {new Letter(), new Letter()};
      List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
      for (Letter letter : letters) {
        waiting.add(inThread(() -> network.progress.await(letter, null, null, soon(LONG_NANOS))));
      }
      for (Letter letter : letters) {
        letter.delivered = true;
        network.progress.signal();
      }
      for (CompletableFuture<Boolean> each : waiting) {
        assertTrue(in(60, each));
      }
    }
  }
}
