package io.jgloo.transport;

import org.jspecify.annotations.Nullable;

/**
 * The completed requests of one user of a mesh, in the order of completion.
 *
 * <p>Waiting here drives the mesh: bytes move in the thread that waits.
 *
 * <p><i>Threads</i>: {@link #poll} by one thread at a time; {@link #await} and {@link #wakeup} by
 * any. <i>Fails</i>: requests fail, waiting does not, but for interruption.
 */
public interface CompletionQueue {

  /** What a thread waits for; other threads look at it too, so it rests on volatile state. */
  @FunctionalInterface
  interface Condition {
    /** Whether it is met; cheap, takes no lock. */
    boolean isMet();
  }

  /** What to do with a completed request. */
  @FunctionalInterface
  interface Handler {
    /** Handles a request that has ended, in a thread that waits on its queue; may post more. */
    void completed(Request request);
  }

  /** A new request that will complete here. */
  Request newRequest();

  /** Takes the oldest completed request, or null if there is none; does not move bytes. */
  @Nullable Request poll();

  /** Moves bytes without blocking. */
  void progress();

  /**
   * Announces that the calling thread will post more, and {@link #flush} or {@link #await} then:
   * frames of what it posts meanwhile may be sent together.
   */
  default void collect() {}

  /** Sends what has been held back since {@link #collect}, and holds nothing back any more. */
  default void flush() {}

  /**
   * Moves bytes until a completed request can be taken, {@link #wakeup} is called, or the deadline
   * has passed.
   *
   * @param deadlineNanos an instant of the mesh's {@link Mesh#clock}
   * @return whether a completed request can be taken
   * @throws InterruptedOperationException if the thread is interrupted; its flag stays set
   */
  boolean await(long deadlineNanos);

  /**
   * Moves bytes and gives completed requests to a handler until a condition is met.
   *
   * <p>Of several threads that wait on this queue one makes progress and handles all of its
   * requests; the others stand by until their own condition is met.
   *
   * @param condition what to wait for; it follows from requests of this queue, or another thread
   *     that makes it true calls {@link #wakeup}
   * @param deadlineNanos an instant of the mesh's {@link Mesh#clock}
   * @return whether the condition is met; false at the deadline
   * @throws InterruptedOperationException if the thread is interrupted; its flag stays set
   */
  boolean await(Condition condition, Handler handler, long deadlineNanos);

  /**
   * Does what {@link #await(Condition, Handler, long)} does, for requests that no thread waits for:
   * returns as soon as a thread waits, and at once if another thread makes progress already.
   */
  void awaitInBackground(Condition condition, Handler handler, long deadlineNanos);

  /** Lets threads in {@link #await} return soon even if nothing has completed. */
  void wakeup();
}
