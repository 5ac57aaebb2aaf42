package io.jgloo.transport;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/** Ranks on plain threads in real time. */
public class ThreadRanks extends Ranks {

  private static final Duration HANG = PATIENCE.multipliedBy(3);

  /** Between two looks at a condition; an emulated processor does little else if it looks often. */
  private static final long LOOK_NANOS = 50_000L * SLOWDOWN;

  private final IntFunction<Device> opener;

  /**
   * @param opener opens the device of a rank
   */
  public ThreadRanks(int size, IntFunction<Device> opener) {
    super(size);
    this.opener = opener;
  }

  @Override
  protected Device open(int rank) {
    return opener.apply(rank);
  }

  @Override
  protected void together(List<Runnable> tasks) {
    List<Thread> threads = new ArrayList<>();
    for (Runnable task : tasks) {
      threads.add(start("rank-" + threads.size(), task));
    }
    long deadline = System.nanoTime() + HANG.toNanos();
    for (Thread thread : threads) {
      if (!endsBy(deadline, thread)) {
        AssertionError hang = new AssertionError("ranks hang:\n" + dump());
        threads.forEach(Thread::interrupt);
        throw hang;
      }
    }
  }

  private static boolean endsBy(long deadline, Thread thread) {
    try {
      thread.join(Math.max(1, NANOSECONDS.toMillis(deadline - System.nanoTime())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }

  @Override
  protected Thread start(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @Override
  protected boolean until(BooleanSupplier condition, Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline >= 0) {
        return false;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return true;
  }

  /** The stacks of all threads. */
  public static String dump() {
    StringBuilder text = new StringBuilder();
    for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
      text.append(thread.getThreadName()).append(' ').append(thread.getThreadState()).append('\n');
      for (StackTraceElement frame : thread.getStackTrace()) {
        text.append("    at ").append(frame).append('\n');
      }
    }
    return text.toString();
  }
}
