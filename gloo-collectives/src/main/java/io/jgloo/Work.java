package io.jgloo;

import io.jgloo.collectives.execution.Pending;
import io.jgloo.transport.GlooException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A call that goes on while its caller does something else.
 *
 * <p>Its memory belongs to the call until it has ended.
 *
 * <p><em>Threads</em>: any number may wait; a waiting thread moves the bytes itself, and while no
 * thread waits the group's own thread does. <em>Fails</em>: as the blocking call would, by the
 * deadline it was started with.
 */
public final class Work {

  /** Work that is done. */
  static final Work DONE = new Work(List.of());

  private final List<Pending> parts;

  Work(Pending pending) {
    this(List.of(pending));
  }

  private Work(List<Pending> parts) {
    this.parts = parts;
  }

  /** Both as one, which ends when both have. */
  Work and(Work other) {
    List<Pending> both = new ArrayList<>(parts);
    both.addAll(other.parts);
    return new Work(List.copyOf(both));
  }

  /**
   * Waits for the end, which the call's own deadline bounds.
   *
   * @throws GlooException if it failed; if the waiting thread is interrupted the group fails too
   */
  public void await() {
    GlooException failure = null;
    for (Pending part : parts) {
      try {
        part.await();
      } catch (GlooException e) {
        failure = failure == null ? e : failure; // the memory of the others must be free too
      }
    }
    if (failure != null) {
      throw failure;
    }
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
    Duration left = Arguments.timeout(limit);
    long start = System.nanoTime();
    for (Pending part : parts) {
      part.await(left.isNegative() ? Duration.ZERO : left);
      left = limit.minusNanos(System.nanoTime() - start);
    }
  }

  /** Whether it has ended, well or not. */
  public boolean isDone() {
    return parts.stream().allMatch(Pending::isDone);
  }

  /** Why it failed; empty while it goes on, and if all went well. */
  public Optional<GlooException> failure() {
    return isDone()
        ? parts.stream().flatMap(part -> part.failure().stream()).findFirst()
        : Optional.empty();
  }

  /**
   * A future that ends as this does. It is a copy: to complete or cancel it does nothing to the
   * call. What is made to depend on it never runs in a thread that moves bytes.
   */
  public CompletableFuture<Void> toCompletableFuture() {
    return parts.size() == 1
        ? parts.get(0).toCompletableFuture()
        : CompletableFuture.allOf(
            parts.stream().map(Pending::toCompletableFuture).toArray(CompletableFuture<?>[]::new));
  }
}
