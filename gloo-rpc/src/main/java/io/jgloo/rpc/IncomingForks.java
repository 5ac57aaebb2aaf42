package io.jgloo.rpc;

import io.jgloo.rpc.RRef.Handle;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.codec.Codec;
import io.jgloo.rpc.rref.protocol.Event;
import io.jgloo.rpc.rref.protocol.ForkId;
import io.jgloo.rpc.rref.protocol.RRefId;
import io.jgloo.rpc.rref.protocol.Reason;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The forks that a message of an agent carries, and the handles made of them; the key of its entry
 * in the tables.
 *
 * <p><i>Threads</i>: one after another.
 */
final class IncomingForks {

  private final RRefs refs;
  private final AgentId from;
  private List<ForkId> forks = List.of();
  private List<RRef<?>> handles = List.of();

  @SuppressWarnings("NullAway.Init") // set by whenUsable
  private Executor later;

  @SuppressWarnings("NullAway.Init") // set by whenUsable
  private Runnable usable;

  @SuppressWarnings("NullAway.Init") // set by whenUsable
  private Consumer<JGlooException> refused;

  IncomingForks(RRefs refs, AgentId from) {
    this.refs = refs;
    this.from = from;
  }

  /** Makes a handle of a fork that the sender made for this agent. */
  <T> RRef<T> handle(RRefId ref, long number, Codec<T> codec) {
    int size = refs.messengerSize();
    if (ref.owner().rank() >= size || ref.creator().rank() >= size) {
      throw new ProtocolException("reference " + ref + " names a rank that is not below " + size);
    }
    ForkId fork = new ForkId(ref, from, refs.self(), number);
    if (forks.isEmpty()) {
      forks = new ArrayList<>();
      handles = new ArrayList<>();
    }
    boolean owner = ref.owner().equals(refs.self());
    Handle handle = new Handle(refs, ref, owner ? null : fork);
    RRef<T> made = new RRef<>(refs, handle, codec);
    forks.add(fork);
    handles.add(made);
    return made;
  }

  List<ForkId> forks() {
    return List.copyOf(forks);
  }

  /**
   * Runs one of two actions, once: at once if there is nothing to wait for.
   *
   * @param executor runs the first one if it is not run at once
   * @param action runs when all references can be used
   * @param otherwise runs if one of them cannot; they are closed then
   */
  void whenUsable(Executor executor, Runnable action, Consumer<JGlooException> otherwise) {
    if (forks.isEmpty()) {
      action.run();
      return;
    }
    later = executor;
    usable = action;
    refused = otherwise;
    forks.forEach(fork -> refs.observations.arrived(from, fork));
    refs.tables().apply(new Event.Arrived(from, this, forks()));
  }

  /** The owners know all forks. */
  void confirmed() {
    open();
    later.execute(usable);
  }

  /** The tables count the handles. */
  void open() {
    handles.forEach(ref -> ref.handle.open());
  }

  /** Nobody gets the handles. */
  void close() {
    handles.forEach(RRef::close);
  }

  void refused(Reason reason) {
    refused.accept(RRefs.exception(reason, "a reference in a message of agent " + from, null));
  }

  @Override
  public String toString() {
    return "message of agent " + from + " with " + forks;
  }
}
