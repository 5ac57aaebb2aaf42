package io.jgloo.rpc;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.rref.protocol.Effect;
import io.jgloo.rpc.rref.protocol.Event;
import io.jgloo.rpc.rref.protocol.RRefTables;
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

  private final ConcurrentLinkedQueue<Effect> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean running = new AtomicBoolean();
  private final Consumer<Effect> actions;
  private final RRefTables tables;

  /**
   * @param actions carries effects out; must not block
   */
  Tables(AgentId self, Consumer<Effect> actions) {
    this.actions = actions;
    tables = new RRefTables(self);
  }

  /** Reads the tables. */
  synchronized <T> T read(Function<RRefTables, T> reader) {
    return reader.apply(tables);
  }

  /** Applies an event; its effects have been carried out or will be, by another thread. */
  List<Effect> apply(Event event) {
    List<Effect> effects;
    synchronized (this) {
      effects = tables.apply(event);
      queue.addAll(effects);
    }
    run();
    return effects;
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
      actions.accept(effect);
    } catch (RuntimeException | Error e) { // the others must be carried out all the same
      LOG.log(Level.ERROR, "effect " + effect + " failed", e);
    }
  }
}
