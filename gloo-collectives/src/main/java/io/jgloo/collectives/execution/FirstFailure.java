package io.jgloo.collectives.execution;

import io.jgloo.transport.ClosedException;
import io.jgloo.transport.GlooException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What ended a group: the first cause wins, and later calls are told it again.
 *
 * <p><em>Threads</em>: any.
 */
public final class FirstFailure {

  /**
   * @param cause as the transport or we ourselves found it
   * @param told the same in the words of the call that met it
   */
  private record Told(GlooException cause, GlooException told) {}

  private final String group;
  private final AtomicReference<Told> first = new AtomicReference<>();
  private volatile boolean closed;

  FirstFailure(String group) {
    this.group = group;
  }

  /** Takes the cause if it is the first; whether it was. */
  boolean record(GlooException cause, GlooException told) {
    return first.get() == null && first.compareAndSet(null, new Told(cause, told));
  }

  /** The first cause, or null. */
  GlooException cause() {
    Told failure = first.get();
    return failure == null ? null : failure.cause;
  }

  /** The first cause in the words of the call that met it, or null. */
  GlooException told() {
    Told failure = first.get();
    return failure == null ? null : failure.told;
  }

  /** The group is closed; whether it was not before. */
  boolean close() {
    boolean before = closed;
    closed = true;
    return !before;
  }

  boolean isClosed() {
    return closed;
  }

  /**
   * Refuses new calls once there is a reason to.
   *
   * @throws ClosedException if the group is closed
   * @throws GlooException the first cause, told again
   */
  public void check() {
    if (closed) {
      throw new ClosedException("group " + group + " is closed", told());
    }
    Told failure = first.get();
    if (failure != null) {
      throw failure.told.again("group " + group + " has failed before");
    }
  }
}
