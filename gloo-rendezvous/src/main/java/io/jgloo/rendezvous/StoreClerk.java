package io.jgloo.rendezvous;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreException;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.rendezvous.time.Interruption;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.GlooException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks the store on behalf of one rank, on threads of its own, so that a store that does not answer
 * cannot keep the rank beyond its deadline, whoever has written the store.
 *
 * <p>Threads: any may call; one or two daemons, {@code gloo-rendezvous-RANK}, work. Owns: those.
 */
final class StoreClerk implements AutoCloseable {
  private static final Logger LOG = System.getLogger(StoreClerk.class.getName());
  private static final long CLOSE_MILLIS = 200;

  private final String store;
  private final ScheduledThreadPoolExecutor threads;
  private final CountDownLatch closed = new CountDownLatch(1);

  StoreClerk(Store store, int rank) {
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
   * Runs a question and returns its answer.
   *
   * @param what the question, for messages
   * @throws StoreUnavailableException if there is no answer by the deadline
   * @throws io.jgloo.transport.InterruptedOperationException if the calling thread is interrupted
   */
  <T> T ask(String what, Deadline deadline, Callable<T> question) {
    Future<T> answer;
    try {
      answer = threads.submit(question);
    } catch (RejectedExecutionException e) {
      throw new ClosedException("the rendezvous was closed", e);
    }
    try {
      return answer.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw Interruption.during("asking the store to " + what, e);
    } catch (TimeoutException e) {
      throw new StoreUnavailableException(store + " does not answer to " + what, e);
    } catch (CancellationException e) {
      throw new ClosedException("the rendezvous was closed", e);
    } catch (ExecutionException e) {
      throw unwrapped(what, e.getCause());
    } finally {
      answer.cancel(true); // nothing to cancel, if it has answered
    }
  }

  /** Does something every so often, until the result is cancelled; what it throws is logged. */
  ScheduledFuture<?> repeat(Duration period, Runnable body) {
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
    } catch (Throwable e) { // which would end the repetition
      LOG.log(Level.WARNING, store + ": a repeated task failed", e);
    }
  }

  /** Waits, but not beyond {@link #close}. */
  void pause(Duration time) {
    try {
      if (closed.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new ClosedException("the rendezvous was closed");
      }
    } catch (InterruptedException e) {
      throw Interruption.during("waiting for other ranks", e);
    }
  }

  /** Ends the questions that are being asked, and waits a little until they have ended. */
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

  private RuntimeException unwrapped(String what, Throwable cause) {
    if (cause instanceof GlooException gloo) {
      return gloo;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return new StoreException(store + " failed to " + what + ": " + cause, cause);
  }
}
