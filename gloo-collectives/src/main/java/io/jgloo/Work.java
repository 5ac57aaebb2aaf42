package io.jgloo;

import io.jgloo.collectives.execution.Pending;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.OperationTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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

  /** Several as one, which ends when all have. */
  Work(List<Pending> parts) {
    this.parts = List.copyOf(parts);
  }

  /**
   * Waits for the end, which the call's own deadline bounds.
   *
   * @throws JGlooException if it failed; if the waiting thread is interrupted the group fails too
   */
  public void await() {
    JGlooException thrown = null;
    for (Pending part : parts) {
      try {
        part.await();
      } catch (JGlooException e) {
        thrown = thrown == null ? e : thrown; // the memory of the others must be free too
      }
    }
    if (thrown != null) {
      throw parts.size() == 1 ? thrown : failure().orElse(thrown);
    }
  }

  /**
   * Waits for the end for a while; {@link Duration#ZERO} only looks. If that is too short the call
   * goes on, and still owns its memory.
   *
   * @throws io.jgloo.transport.OperationTimeoutException if it has not ended in time; names the
   *     ranks that are awaited
   * @throws JGlooException if it failed
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
  public Optional<JGlooException> failure() {
    if (!isDone()) {
      return Optional.empty();
    }
    List<JGlooException> failures = new ArrayList<>();
    parts.forEach(part -> part.failure().ifPresent(failures::add));
    return failures.isEmpty() ? Optional.empty() : Optional.of(joined(failures));
  }

  /** The first failure; if that is a timeout, it names the ranks of all messages that had one. */
  private static JGlooException joined(List<JGlooException> failures) {
    JGlooException first = failures.get(0);
    if (failures.size() == 1 || !(first.getCause() instanceof OperationTimeoutException original)) {
      return first;
    }
    Set<Integer> peers = new TreeSet<>();
    for (JGlooException each : failures) {
      if (each instanceof OperationTimeoutException timeout) {
        peers.addAll(timeout.missingPeers());
      }
    }
    String text =
        (original.getMessage() + "; " + failures.size() + " messages are not done, of rank(s) ")
            + Membership.list(peers);
    return new OperationTimeoutException(text, peers).during(first.context().orElseThrow());
  }

  /**
   * A future that ends as this does. It is a copy: to complete or cancel it does nothing to the
   * call. What is made to depend on it never runs in a thread that moves bytes.
   */
  public CompletableFuture<Void> toCompletableFuture() {
    if (parts.size() == 1) {
      return parts.get(0).toCompletableFuture();
    }
    return CompletableFuture.allOf(
            parts.stream().map(Pending::toCompletableFuture).toArray(CompletableFuture<?>[]::new))
        .handle(
            (done, thrown) -> {
              failure()
                  .ifPresent(
                      e -> {
                        throw e;
                      });
              return null;
            });
  }
}
