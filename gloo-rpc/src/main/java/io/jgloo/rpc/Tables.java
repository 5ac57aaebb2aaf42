package io.jgloo.rpc;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.rref.protocol.Effect;
import io.jgloo.rpc.rref.protocol.Event;
import io.jgloo.rpc.rref.protocol.RRefProtocol;
import io.jgloo.rpc.rref.protocol.RRefState;
import io.jgloo.rpc.rref.protocol.Step;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The tables of one agent: applies events one after another, and has the effects carried out in
 * their order.
 *
 * <p>A step takes 1 to 3 us under the lock. Effects are carried out without it, by the thread that
 * happens to add some, because they may lead to further events.
 *
 * <p><i>Threads</i>: any.
 */
final class Tables {

  private static final Logger LOG = System.getLogger(Tables.class.getName());

  /** One event and what it did. */
  record Change(RRefState before, List<Effect> effects) {}

  private final ConcurrentLinkedQueue<Effect> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean running = new AtomicBoolean();
  private final Consumer<Effect> action;
  private volatile RRefState state;

  /**
   * @param action carries out an effect; must not block
   */
  Tables(AgentId self, Consumer<Effect> action) {
    this.action = action;
    state = RRefState.of(self);
  }

  RRefState state() {
    return state;
  }

  /** Reads the tables. */
  <T> T read(Function<RRefState, T> reader) {
    return reader.apply(state);
  }

  /** Applies an event; its effects have been carried out or will be, by another thread. */
  Change apply(Event event) {
    Change change;
    synchronized (this) {
      RRefState before = state;
      Step step = RRefProtocol.step(before, event);
      state = step.state();
      change = new Change(before, step.effects());
      queue.addAll(step.effects());
    }
    run();
    return change;
  }

  private void run() {
    while (!queue.isEmpty() && running.compareAndSet(false, true)) {
      try {
        for (Effect effect = queue.poll(); effect != null; effect = queue.poll()) {
          guarded(effect);
        }
      } finally {
        running.set(false);
      }
    }
  }

  private void guarded(Effect effect) {
    try {
      action.accept(effect);
    } catch (RuntimeException | Error e) { // the others must be carried out all the same
      LOG.log(Level.ERROR, "effect " + effect + " failed", e);
    }
  }
}
