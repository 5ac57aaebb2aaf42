package io.jgloo.transport.sim;

import java.util.function.BooleanSupplier;

/**
 * A thread as the scheduler sees it.
 *
 * <p>Guarded by the world's lock, but for {@link #inside}.
 */
final class Strand {

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

  /** Its thread's flag, taken from it while it is parked. */
  boolean interrupted;

  /** Virtual instant at which it goes on in any case. */
  long deadline;

  /** What it is to be signalled by, or null. */
  Object waitsFor;

  /** What lets it go on without a signal, or null. */
  BooleanSupplier condition;

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
