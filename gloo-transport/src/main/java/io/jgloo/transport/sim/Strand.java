package io.jgloo.transport.sim;

import java.util.function.BooleanSupplier;

/**
 * A thread as the scheduler sees it.
 *
 * <p>Guarded by the scheduler's lock, but for {@link #inside}.
 */
final class Strand {

  /** Why a blocked strand may go on. */
  enum Wake {
    SIGNAL,
    DEADLINE,
    INTERRUPT
  }

  final int id;
  final Thread thread;
  final Node node;

  /** Not started by the world: takes part only while it waits inside a call. */
  final boolean foreign;

  /** In a call of ours; written by the thread itself before it takes the lock. */
  volatile boolean inside;

  /** Has noticed that it is its turn. */
  boolean resumed;

  /** Lost its turn because it blocked on something that is not ours. */
  boolean outside;

  boolean interrupted;
  boolean isWaiting;
  long deadline;
  Object waitsFor;
  BooleanSupplier condition;
  Wake wake;

  Strand(int id, Thread thread, Node node, boolean foreign) {
    this.id = id;
    this.thread = thread;
    this.node = node;
    this.foreign = foreign;
  }

  boolean wasInterrupted() {
    return interrupted || thread.isInterrupted();
  }

  @Override
  public String toString() {
    return "strand " + id + " of " + node;
  }
}
