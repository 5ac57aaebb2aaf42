package io.jgloo.rpc.agent;

import io.jgloo.transport.JGlooException;

/**
 * Hears of agents that join and that are lost.
 *
 * <p><i>Threads</i>: one call at a time for each peer; calls must be short and must not block.
 */
public interface PeerListener {

  /** The agent can be sent to from now on. */
  default void joined(AgentId peer) {}

  /**
   * The agent has left, was killed, or could not be reached for too long. No message of this life
   * of it is delivered any more, and none reaches it.
   */
  default void lost(AgentId peer, JGlooException cause) {}

  /** A handler threw while it handled a message of this agent. */
  default void handlerFailed(AgentId peer, int kind, Throwable cause) {}
}
