package io.jgloo.transport.engine;

import io.jgloo.transport.CompletionQueue.Condition;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Platform threads that make progress in place of virtual ones, which park meanwhile.
 *
 * <p>A mesh has one at a time, as the others find the progress lock taken and park. The virtual
 * thread spins before it parks, so a call whose peers are on time needs no other thread.
 *
 * <p><i>Threads</i>: any. <i>Owns</i>: its threads (daemons), which end when they are idle.
 */
final class StandIns {

  private static final long IDLE_SECONDS = 10;

  private final Progress progress;
  private final Executor threads;

  StandIns(Progress progress, Platform platform) {
    this.progress = progress;
    threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            body -> platform.newThread("gloo-stand-in", body));
  }

  /**
   * Runs a wait in a platform thread and parks until it has ended. An interrupt of the calling
   * thread stops the wait, and its flag stays set.
   *
   * @param wait gets the condition that it has been stopped; what it throws is thrown here
   */
  void waitFor(Consumer<Condition> wait) {
    AtomicBoolean stopped = new AtomicBoolean();
    CompletableFuture<Void> ended =
        CompletableFuture.runAsync(() -> wait.accept(stopped::get), threads);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          ended.get();
          return;
        } catch (InterruptedException e) {
          interrupted = true;
          stopped.set(true);
          progress.wakeup();
        } catch (ExecutionException e) {
          throw unchecked(e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException unchecked(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return (RuntimeException) thrown;
  }
}
