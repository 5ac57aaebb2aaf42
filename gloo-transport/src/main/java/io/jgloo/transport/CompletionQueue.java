package io.jgloo.transport;

/**
 * Where completed requests of one user of a mesh are found, in the order of completion.
 *
 * <p>Waiting here drives the mesh: bytes move in the thread that waits.
 *
 * <p><i>Threads</i>: {@link #poll} by one thread at a time; {@link #await} and {@link #wakeup} by
 * any. <i>Fails</i>: requests fail, waiting does not, but for interruption.
 */
public interface CompletionQueue {

  /** A new request that will complete here. */
  Request newRequest();

  /** Takes the oldest completed request, or null if there is none; does not move bytes. */
  Request poll();

  /** Moves bytes without blocking. */
  void progress();

  /**
   * Says that the calling thread will post more, and {@link #flush} or {@link #await} then: what it
   * posts meanwhile may go together.
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

  /** Lets threads in {@link #await} return soon even if nothing has completed. */
  void wakeup();
}
