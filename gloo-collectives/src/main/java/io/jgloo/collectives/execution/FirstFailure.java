package io.jgloo.collectives.execution;

import io.jgloo.transport.ClosedException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.flight.FailureEvent;
import io.jgloo.transport.flight.Flight;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The failure that ended a group: the first cause is kept, and later calls fail with it.
 *
 * <p><em>Threads</em>: any.
 */
public final class FirstFailure {

  /**
   * @param cause as the transport or this package raised it
   * @param reported the same with the context of the call that failed first
   */
  private record Failure(JGlooException cause, JGlooException reported) {}

  private final String group;
  private final int rank;
  private final AtomicReference<Failure> first = new AtomicReference<>();
  private volatile Runnable listener = () -> {};
  private volatile boolean closed;

  FirstFailure(String group, int rank) {
    this.group = group;
    this.rank = rank;
  }

  /** Takes the cause if it is the first; whether it was. */
  boolean record(JGlooException cause, JGlooException reported) {
    if (first.get() != null || !first.compareAndSet(null, new Failure(cause, reported))) {
      return false;
    }
    if (Flight.isRunning()) {
      FailureEvent.record(group, rank, reported);
    }
    listener.run();
    return true;
  }

  /** Is run once, when the group fails: under locks, by any thread; must return soon. */
  public void onFirst(Runnable listener) {
    this.listener = listener;
  }

  /** The first cause, or null. */
  JGlooException cause() {
    Failure failure = first.get();
    return failure == null ? null : failure.cause;
  }

  /** The first cause with the context of the call that failed first, or null. */
  JGlooException reported() {
    Failure failure = first.get();
    return failure == null ? null : failure.reported;
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
   * @throws JGlooException the first cause, for this call
   */
  public void check() {
    if (closed) {
      throw new ClosedException("group " + group + " is closed", reported());
    }
    Failure failure = first.get();
    if (failure != null) {
      throw failure.reported.again("group " + group + " has failed before");
    }
  }
}
