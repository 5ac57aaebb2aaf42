package io.jgloo.rpc;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run bodies: a virtual one for each where the JVM has them, else a pool that
 * grows by one for each worker that waits for a call of its own.
 *
 * <p><i>Threads</i>: any. <i>Owns</i>: its threads (daemons).
 */
final class Workers implements AutoCloseable {

  /** Threads added for waiting workers at most. */
  static final int MOST_WAITING = 1024;

  private static final long IDLE_SECONDS = 10;

  /** A thread of a pool, which knows it. */
  private static final class Worker extends Thread {
    private final Workers owner;

    Worker(Workers owner, Runnable body, String name) {
      super(body, name);
      this.owner = owner;
      setDaemon(true);
    }
  }

  private final ExecutorService executor;

  /** Whether there is a thread for each body, and no limit. */
  private final boolean virtual;

  private final int threads;

  /** Bodies that no thread runs yet. */
  private final ArrayDeque<Runnable> queue = new ArrayDeque<>();

  /** Bodies that run and do not wait: more than {@link #threads} for a time if waits end. */
  private int running;

  private int waiting;

  /**
   * @param threads of the pool at most, where there are no virtual threads
   */
  Workers(String name, int threads, boolean mayBeVirtual) {
    this.threads = threads;
    @Nullable ExecutorService ofVirtual = mayBeVirtual ? virtualThreads() : null;
    virtual = ofVirtual != null;
    executor =
        ofVirtual != null
            ? ofVirtual
            : new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE, // this class limits them
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                body -> new Worker(this, body, name + "-worker"));
  }

  /** The executor of JDK 21 and later, by reflection; null before. */
  private static @Nullable ExecutorService virtualThreads() {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (NoSuchMethodException e) {
      return null;
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("the JVM refuses virtual threads", e);
    }
  }

  /** Runs a body; false if the workers are closed. */
  boolean execute(Runnable body) {
    try {
      if (virtual) {
        executor.execute(body);
        return true;
      }
      return enqueue(body);
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  private synchronized boolean enqueue(Runnable body) {
    boolean open = !executor.isShutdown();
    if (open) {
      queue.add(body);
      startNext();
    }
    return open;
  }

  /** Gives the next body a thread, if there may be one more. */
  private void startNext() {
    if (running < threads && !queue.isEmpty()) {
      executor.execute(this::work);
      running++;
    }
  }

  /** Runs bodies in a thread of the pool until none is left for it. */
  private void work() {
    for (Runnable body = next(false); body != null; body = next(true)) {
      try {
        body.run();
      } catch (Throwable e) { // the count of those that run must stay right
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
      }
    }
  }

  /** The next body of a thread; null if it is to end. */
  private synchronized @Nullable Runnable next(boolean again) {
    Runnable body = again && running > threads ? null : queue.poll();
    running -= body == null ? 1 : 0;
    if (!executor.isShutdown()) {
      Thread.interrupted(); // it was for the body before
    }
    return body;
  }

  /**
   * Runs something that waits for a call; if the caller is a worker of a pool, with another thread
   * in its place.
   *
   * @throws PoolExhaustedException if too many wait
   */
  static <T> T wait(Supplier<T> body) {
    if (!(Thread.currentThread() instanceof Worker worker)) {
      return body.get();
    }
    worker.owner.beginWait();
    try {
      return body.get();
    } finally {
      worker.owner.endWait();
    }
  }

  private synchronized void beginWait() {
    if (waiting == MOST_WAITING) {
      throw new PoolExhaustedException(
          waiting + " of " + (running + waiting) + " workers wait for calls of their own");
    }
    waiting++;
    running--;
    startNext();
  }

  private synchronized void endWait() {
    waiting--;
    running++;
  }

  @Override
  public synchronized void close() {
    queue.clear();
    executor.shutdownNow();
  }
}
