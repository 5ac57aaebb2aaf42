package io.jgloo.rendezvous;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreException;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.rendezvous.time.Interruption;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.JGlooException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Executes store operations of one rank on threads of its own, so that a store that does not answer
 * cannot hold the rank beyond its deadline, whatever the implementation of the store.
 *
 * <p>Threads: any may call; one or two daemons, {@code gloo-rendezvous-RANK}, work. Owns: those.
 */
class StoreExecutor implements AutoCloseable {

  /** Makes the executor of a rank for a store; a simulator has its own. */
  @FunctionalInterface
  interface Factory {
    StoreExecutor open(Store store, int rank);
  }

  private static final Logger LOG = System.getLogger(StoreExecutor.class.getName());
  private static final long CLOSE_MILLIS = 200;

  private final String store;
  private final ScheduledThreadPoolExecutor threads;
  private final CountDownLatch closed = new CountDownLatch(1);

  StoreExecutor(Store store, int rank) {
    this.store = store.toString();
    threads =
        new ScheduledThreadPoolExecutor(
            2,
            body -> {
              Thread thread = new Thread(body, "gloo-rendezvous-" + rank);
              thread.setDaemon(true);
              return thread;
            });
    threads.setRemoveOnCancelPolicy(true);
  }

  /**
   * Executes an operation and returns its result.
   *
   * @param what the operation, for messages
   * @throws StoreUnavailableException if there is no answer by the deadline
   * @throws io.jgloo.transport.InterruptedOperationException if the calling thread is interrupted
   */
  <T> T call(String what, Deadline deadline, Callable<T> operation) {
    Future<T> answer;
    try {
      answer = threads.submit(operation);
    } catch (RejectedExecutionException e) {
      throw new ClosedException("the rendezvous was closed", e);
    }
    try {
      return answer.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw Interruption.during("waiting for the store to " + what, e);
    } catch (TimeoutException e) {
      throw new StoreUnavailableException(store + " does not answer by the deadline: " + what, e);
    } catch (CancellationException e) {
      throw new ClosedException("the rendezvous was closed", e);
    } catch (ExecutionException e) {
      throw unwrapped(what, e.getCause());
    } finally {
      answer.cancel(true); // no effect after an answer
    }
  }

  /** Repeats a task until the result is cancelled; exceptions of the task are logged. */
  Future<?> repeat(Duration period, Runnable body) {
    try {
      return threads.scheduleWithFixedDelay(
          () -> logged(body), period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      throw new ClosedException("the rendezvous was closed", e);
    }
  }

  private void logged(Runnable body) {
    try {
      body.run();
    } catch (Throwable e) { // otherwise the executor would end the repetition
      LOG.log(Level.WARNING, store + ": a repeated task failed", e);
    }
  }

  /** Waits; {@link #close} ends the wait. */
  void pause(Duration time) {
    try {
      if (closed.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new ClosedException("the rendezvous was closed");
      }
    } catch (InterruptedException e) {
      throw Interruption.during("waiting for other ranks", e);
    }
  }

  /** Cancels the operations in progress and waits up to 200 ms for them to end. */
  @Override
  public void close() {
    closed.countDown();
    for (Runnable waiting : threads.shutdownNow()) {
      ((Future<?>) waiting).cancel(false);
    }
    boolean interrupted = Thread.interrupted();
    try {
      if (!threads.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
        LOG.log(Level.DEBUG, "{0} has not answered yet", store);
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private RuntimeException unwrapped(String what, @Nullable Throwable cause) {
    if (cause instanceof JGlooException gloo) {
      return gloo;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return new StoreException(store + " failed to " + what + ": " + cause, cause);
  }
}
