package io.jgloo;

import io.jgloo.collectives.Pending;
import io.jgloo.transport.GlooException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A call that goes on while its caller does something else.
 *
 * <p>Its memory belongs to the call until it has ended.
 *
 * <p><em>Threads</em>: any number may wait; a waiting thread moves the bytes itself, and while
 * nobody waits the group's own thread does. <em>Fails</em>: as the blocking call would, by the
 * deadline it was started with.
 */
public final class Work {

  private final Pending pending;

  Work(Pending pending) {
    this.pending = pending;
  }

  /**
   * Waits for the end, which the call's own deadline bounds.
   *
   * @throws GlooException if it failed; if the waiting thread is interrupted the group fails too
   */
  public void await() {
    pending.await();
  }

  /**
   * Waits for the end for a while; {@link Duration#ZERO} only looks. If that is too short the call
   * goes on, and still owns its memory.
   *
   * @throws io.jgloo.transport.OperationTimeoutException if it has not ended in time; names the
   *     ranks that are awaited
   * @throws GlooException if it failed
   */
  public void await(Duration limit) {
    pending.await(Arguments.timeout(limit));
  }

  /** Whether it has ended, well or not. */
  public boolean isDone() {
    return pending.isDone();
  }

  /** Why it failed; empty while it goes on, and if all went well. */
  public Optional<GlooException> failure() {
    return pending.failure();
  }

  /**
   * A future that ends as this does. It is a copy: to complete or cancel it does nothing to the
   * call. What is made to depend on it never runs in a thread that moves bytes.
   */
  public CompletableFuture<Void> toCompletableFuture() {
    return pending.toCompletableFuture();
  }
}
