package io.jgloo.rpc;

import io.jgloo.rpc.rref.protocol.Event;
import io.jgloo.rpc.rref.protocol.ForkId;
import io.jgloo.rpc.rref.protocol.RRefId;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What a public handle and its cleaner share: the ids and whether it is open.
 *
 * <p><i>Threads</i>: any.
 */
final class Handle {

  private enum State {
    /** Read from a message whose references are not confirmed: the tables do not count it yet. */
    ARRIVING,
    OPEN,
    CLOSED
  }

  private final RRefs refs;
  final RRefId ref;
  final @Nullable ForkId fork;
  private final AtomicReference<State> state = new AtomicReference<>(State.ARRIVING);

  /**
   * @param fork null at the owner
   */
  Handle(RRefs refs, RRefId ref, @Nullable ForkId fork) {
    this.refs = refs;
    this.ref = ref;
    this.fork = fork;
  }

  /** The fork, or at the owner the reference. */
  Object id() {
    return fork == null ? ref : fork;
  }

  /** The tables count the handle from now on. */
  Handle open() {
    state.compareAndSet(State.ARRIVING, State.OPEN);
    return this;
  }

  boolean isOpen() {
    return state.get() == State.OPEN;
  }

  /**
   * @throws IllegalStateException if it is closed
   */
  void requireOpen() {
    if (state.get() != State.OPEN) {
      throw new IllegalStateException("the handle of " + this + " is not open");
    }
  }

  void close() {
    if (state.getAndSet(State.CLOSED) == State.OPEN) {
      refs.tables().apply(fork == null ? new Event.OwnerClosed(ref) : new Event.UserClosed(fork));
      if (fork != null) {
        refs.creations.forgetIfClosed(fork);
      }
    }
  }

  @Override
  public String toString() {
    return id() + ", " + state.get();
  }
}
