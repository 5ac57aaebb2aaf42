package io.jgloo.rpc;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.transport.JGlooException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * What an agent does beside calls: services of its own, and values of arguments and results that
 * are more than bytes, such as remote references.
 *
 * <p><i>Threads</i>: any; the methods must be short and must not block, but for {@link #settle}.
 */
@FunctionalInterface
public interface RpcExtension {

  /** Does nothing. */
  RpcExtension NONE = host -> {};

  /** Sets services, handlers and listeners, before the agent starts. */
  void attach(RpcHost host);

  /**
   * Begins a message with values for an agent. Codecs find the result as {@link
   * io.jgloo.rpc.codec.MessageWriter#attachment}.
   */
  default Outgoing outgoing(AgentId to) {
    return Outgoing.NONE;
  }

  /**
   * Begins to read a message of an agent. Codecs find the result as {@link
   * io.jgloo.rpc.codec.MessageReader#attachment}.
   */
  default Incoming incoming(AgentId from) {
    return Incoming.NONE;
  }

  /**
   * Begins the end of the agent together with the others.
   *
   * @return whether nothing is left to be done at the deadline
   */
  default boolean settle(long deadlineNanos) {
    return true;
  }

  /** Ends what is under way; the agent is closed. */
  default void close() {}

  /** The values of a message that is sent. One of its methods is called, at most once. */
  interface Outgoing {

    /** A message without such values. */
    Outgoing NONE = new Outgoing() {};

    /** The message was not sent and will not be. */
    default void dropped() {}

    /** The message is a result; its receiver takes it before the deadline or never. */
    default void replied(long deadlineNanos) {}

    /** The message was a call, which has failed: it may have arrived, and may still. */
    default void failed() {}
  }

  /** The values of a message that has arrived. */
  interface Incoming {

    /** A message without such values. */
    Incoming NONE = new Incoming() {};

    /**
     * Runs one of two actions, once: at once if there is nothing to wait for.
     *
     * @param later runs the first one if it is not run at once
     * @param usable runs when all values can be used
     * @param refused runs if one of them cannot
     */
    default void whenUsable(Executor later, Runnable usable, Consumer<JGlooException> refused) {
      usable.run();
    }
  }
}
