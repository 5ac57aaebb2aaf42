package io.jgloo.rpc;

import io.jgloo.transport.UnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run code of users: a pool that grows by one for each of its threads that waits,
 * for a call or for any {@link java.util.concurrent.CompletableFuture}.
 *
 * <p>Rejected alternative: a virtual thread for each body. As many computing bodies as cores would
 * keep all others from running, and the number of workers would not count.
 *
 * <p><i>Threads</i>: any. <i>Owns</i>: its threads (daemons).
 */
final class Workers implements AutoCloseable {

  /** Threads added for waiting workers at most. */
  static final int MOST_WAITING = 1024;

  private static final Logger LOG = System.getLogger(Workers.class.getName());
  private static final long IDLE_SECONDS = 10;

  private static final class Worker extends ForkJoinWorkerThread {
    Worker(ForkJoinPool pool, String name) {
      super(pool);
      setName(name);
    }
  }

  private static final class Wait<T> implements ForkJoinPool.ManagedBlocker {
    private final Supplier<T> body;
    private @Nullable T result;
    private boolean done;

    Wait(Supplier<T> body) {
      this.body = body;
    }

    @Override
    public boolean block() {
      result = body.get();
      done = true;
      return true;
    }

    @Override
    public boolean isReleasable() {
      return done;
    }
  }

  private final ForkJoinPool pool;

  /**
   * @param threads that run and do not wait, at most
   */
  Workers(String name, int threads) {
    pool =
        new ForkJoinPool(
            threads,
            owner -> new Worker(owner, name + "-worker"),
            null,
            true,
            threads,
            threads + MOST_WAITING,
            threads,
            null,
            IDLE_SECONDS,
            TimeUnit.SECONDS);
  }

  /** Runs a body; false if the workers are closed. */
  boolean execute(Runnable body) {
    try {
      pool.execute(() -> guarded(body));
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  private void guarded(Runnable body) {
    try {
      body.run();
    } catch (Throwable e) { // code of users; the thread goes on
      LOG.log(Level.WARNING, "a task failed", e);
    }
    if (!pool.isShutdown()) {
      Thread.interrupted(); // it was for this body
    }
  }

  /**
   * Runs something that waits for a call; if the caller is a thread of a pool, with another thread
   * in its place.
   *
   * @throws UnavailableException if too many wait
   */
  @SuppressWarnings("NullAway") // the result is null only if the body returned null
  static <T> T wait(Supplier<T> body) {
    if (!(Thread.currentThread() instanceof ForkJoinWorkerThread worker)) {
      return body.get();
    }
    Wait<T> wait = new Wait<>(body);
    try {
      ForkJoinPool.managedBlock(wait);
    } catch (RejectedExecutionException e) {
      throw new UnavailableException(
          "the " + worker.getPool().getPoolSize() + " workers wait for calls of their own");
    } catch (InterruptedException e) {
      throw new AssertionError("the body reports an interrupt otherwise", e);
    }
    return wait.result;
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }
}
