package io.jgloo.rpc;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.codec.MessageWriter;
import io.jgloo.rpc.rref.protocol.Event;
import io.jgloo.rpc.rref.protocol.ForkId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The forks that a message carries to an agent.
 *
 * <p><i>Threads</i>: one after another.
 */
final class OutgoingForks {

  private final RRefs refs;
  private final AgentId to;
  private List<ForkId> forks = List.of();

  OutgoingForks(RRefs refs, AgentId to) {
    this.refs = refs;
    this.to = to;
  }

  /** Makes a fork of a handle for the receiver. */
  ForkId fork(RRef<?> ref) {
    ForkId child = ref.fork(to);
    forks = forks.isEmpty() ? new ArrayList<>() : forks;
    forks.add(child);
    return child;
  }

  boolean isOf(RRefs agents) {
    return refs == agents;
  }

  List<ForkId> forks() {
    return List.copyOf(forks);
  }

  /**
   * Writes a message and sends it; if that throws, the message was not sent.
   *
   * @param writer code of users: it may throw for a value that a codec does not know
   */
  <T> T send(Consumer<MessageWriter> writer, Function<Message, T> sender) {
    MessageWriter out = new MessageWriter(64).attach(this);
    try {
      writer.accept(out);
      return sender.apply(out.message());
    } catch (RuntimeException | Error e) {
      dropped();
      out.close();
      throw e;
    }
  }

  /** The message was not sent and will not be. */
  void dropped() {
    forks.forEach(child -> refs.tables().apply(new Event.ForkNotDelivered(child)));
  }

  /** The message was a call, which has failed: it may have arrived, and may still. */
  void failed() {
    forks.forEach(child -> refs.tables().apply(new Event.ForkUnknown(child)));
  }

  /** The message is a result; its receiver takes it before the deadline or never. */
  void replied(long deadlineNanos) {
    if (!forks.isEmpty()) {
      refs.background.watch(forks, deadlineNanos);
    }
  }
}
