package io.jgloo.rpc;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

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

  /** {@code (Thread)boolean}; null before JDK 21. */
  private static final MethodHandle IS_VIRTUAL = findIsVirtual();

  private final ExecutorService executor;
  private final ThreadPoolExecutor pool;
  private final int threads;
  private int waiting;

  /**
   * @param threads of the pool at most, where there are no virtual threads
   */
  Workers(String name, int threads, boolean mayBeVirtual) {
    this.threads = threads;
    ExecutorService virtual = mayBeVirtual ? virtualThreads() : null;
    if (virtual == null) {
      pool =
          new ThreadPoolExecutor(
              threads,
              threads + MOST_WAITING,
              IDLE_SECONDS,
              TimeUnit.SECONDS,
              new LinkedBlockingQueue<>(),
              body -> new Worker(this, body, name + "-worker"));
      pool.allowCoreThreadTimeOut(true);
      executor = pool;
    } else {
      pool = null;
      executor = virtual;
    }
  }

  private static MethodHandle findIsVirtual() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (NoSuchMethodException e) {
      return null;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("Thread.isVirtual is public", e);
    }
  }

  /** The executor of JDK 21 and later, by reflection; null before. */
  private static ExecutorService virtualThreads() {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (NoSuchMethodException e) {
      return null;
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("the JVM refuses virtual threads", e);
    }
  }

  /** Whether the calling thread is virtual, and so must not move messages: that pins it. */
  static boolean isVirtualHere() {
    try {
      return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
    } catch (Throwable e) {
      throw new IllegalStateException("the JVM does not tell whether a thread is virtual", e);
    }
  }

  /** Runs a body; false if the workers are closed. */
  boolean execute(Runnable body) {
    try {
      executor.execute(body);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
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
    worker.owner.change(1);
    try {
      return body.get();
    } finally {
      worker.owner.change(-1);
    }
  }

  private synchronized void change(int by) {
    if (waiting + by > MOST_WAITING) {
      throw new PoolExhaustedException(
          waiting + " of " + (threads + waiting) + " workers wait for calls of their own");
    }
    waiting += by;
    pool.setCorePoolSize(threads + waiting);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
