package io.jgloo.collectives.execution;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * A call that was started and goes on while its caller does something else.
 *
 * <p><em>Threads</em>: any number may wait; a waiting thread makes progress, and while none waits,
 * the group's thread does. <em>Fails</em>: like the blocking call; its deadline runs from the
 * start.
 */
public final class Pending implements CompletionQueue.Condition {

  /** The end of a run, kept apart from the run itself, which may be running again already. */
  record Finish(Pending pending, JGlooException cause, FailureContext context) {
    void publish() {
      pending.finish(cause, context);
    }
  }

  private static final int FUTURE_THREADS = 256;

  /**
   * Where futures are completed. What depends on one may block, as a collective does that waits for
   * another rank of this JVM, so each gets a thread of its own up to a bound; the common pool has a
   * single one on two cores, where two ranks would wait for each other for ever. Beyond the bound
   * they wait for a thread.
   */
  private static final java.util.concurrent.Executor FUTURES = boundedPool();

  private static java.util.concurrent.Executor boundedPool() {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            FUTURE_THREADS,
            FUTURE_THREADS,
            1,
            SECONDS,
            new LinkedBlockingQueue<>(),
            Pending::daemon);
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private final Driver driver;
  private volatile boolean done;
  private JGlooException cause;
  private FailureContext context;
  private Run run;
  private CallKind kind;
  private long sequence;
  private CompletableFuture<Void> future;

  Pending(Driver driver) {
    this.driver = driver;
  }

  /** The run this stands for, while it lasts. */
  synchronized void begun(Run run, long sequence) {
    kind = run.kind();
    this.sequence = sequence;
    if (!done) {
      this.run = run;
    }
  }

  /** What it is in the record of calls. */
  synchronized CallKind kind() {
    return kind;
  }

  /** Its number; {@link Driver#NONE} for a message. */
  synchronized long sequence() {
    return sequence;
  }

  /**
   * The run has ended; called by the thread that made the progress, so no code of users runs here.
   */
  private void finish(JGlooException cause, FailureContext context) {
    CompletableFuture<Void> waiting;
    synchronized (this) {
      this.cause = cause;
      this.context = context;
      run = null;
      done = true;
      waiting = future;
    }
    if (waiting != null) {
      complete(waiting);
    }
  }

  private static Thread daemon(Runnable body) {
    Thread thread = new Thread(body, "gloo-future");
    thread.setDaemon(true);
    return thread;
  }

  private void complete(CompletableFuture<Void> waiting) {
    Optional<JGlooException> failure = failure();
    waiting.completeAsync(
        () -> {
          failure.ifPresent(
              e -> {
                throw e;
              });
          return null;
        },
        FUTURES);
  }

  /** Whether it has ended, well or not. */
  public boolean isDone() {
    return done;
  }

  /** Why it failed; empty while it lasts and when all went well. */
  public Optional<JGlooException> failure() {
    return done && cause != null ? Optional.of(cause.during(context)) : Optional.empty();
  }

  /**
   * Waits for the end, at most until the call's own deadline.
   *
   * @throws JGlooException as the blocking call would
   */
  public void await() {
    driver.await(this);
    throwFailure();
  }

  /**
   * Waits for the end for a while. If that is too short the call goes on: it and its group fail
   * only at the call's own deadline.
   *
   * @throws io.jgloo.transport.OperationTimeoutException if the call has not ended in time
   * @throws JGlooException as the blocking call would
   */
  public void await(Duration limit) {
    driver.await(this, limit);
    throwFailure();
  }

  private void throwFailure() {
    Optional<JGlooException> failure = failure();
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  /**
   * A future that ends as this call does. It is a copy: to complete or cancel it does nothing to
   * the call. What depends on it runs in a thread of its own, never in one that moves bytes.
   */
  public synchronized CompletableFuture<Void> toCompletableFuture() {
    if (future == null) {
      future = new CompletableFuture<>();
      if (done) {
        complete(future);
      }
    }
    return future.copy();
  }

  /** The run while it lasts, or null. */
  synchronized Run run() {
    return run;
  }

  @Override
  public boolean isMet() {
    return done;
  }
}
