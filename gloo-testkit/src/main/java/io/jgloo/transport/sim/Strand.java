package io.jgloo.transport.sim;

import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A thread of a world as the scheduler sees it; guarded by the world's lock. */
final class Strand {

  final int id;
  final SimThread thread;
  final Node node;

  /** Started by a run or a fork: ends with the rank, and a run ends with the last of these. */
  final boolean program;

  /** Signalled when the turn is this strand's. */
  final Condition turn;

  /** In the scheduler; written by the strand itself before it takes the lock. */
  volatile boolean inside;

  /** How many simulated locks it holds; used by the strand itself only. */
  int locks;

  /** Its rank has crashed and it has noticed: what it still calls is cleaning up. */
  boolean unwinding;

  /** It was unparked when it was not parked. */
  boolean permit;

  boolean ended;

  /** Virtual instant at which it continues in any case. */
  long deadline;

  /** What it is to be signalled by, or null. */
  @Nullable Object waitsFor;

  /** What lets it continue without a signal, or null. */
  @Nullable BooleanSupplier condition;

  Strand(int id, SimThread thread, Node node, boolean program, Condition turn) {
    this.id = id;
    this.thread = thread;
    this.node = node;
    this.program = program;
    this.turn = turn;
  }

  @Override
  public String toString() {
    return thread.getName() + " of " + node;
  }
}
