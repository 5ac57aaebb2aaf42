package io.jgloo.rpc.message;

import io.jgloo.rpc.agent.AgentId;
import java.util.concurrent.CompletableFuture;

/**
 * Sends short control messages to other agents and retries them until they are acknowledged or the
 * peer is lost.
 *
 * <p>A message reaches the handler of its kind at most once for each {@link #send}, also when the
 * connection breaks and is made again. A sender that has seen a failure may send the same content
 * anew, so the effect of a control message should be idempotent. Messages between two agents arrive
 * in the order in which they were sent; between other pairs of agents there is no order.
 *
 * <p><i>Threads</i>: any. {@link #send} never blocks and does no I/O that blocks; a handler may
 * call it.
 */
public interface ControlChannel {

  /** Largest content of a message in bytes. */
  int MAX_BYTES = 16 * 1024;

  /** Largest kind; kinds are 0 to this. */
  int MAX_KIND = 255;

  /** Receives the control messages of one kind. */
  @FunctionalInterface
  interface Handler {
    /**
     * Handles a message. The messages of one peer, of all kinds, are handled one after another in
     * the order of arrival; messages of different peers may be handled at the same time. Must be
     * short and must not block, because the thread that moves messages calls it. An exception is
     * reported to the agent's {@code PeerListener} and changes nothing else.
     *
     * @param from the life of the agent that sent it; never one that has been reported lost
     * @param content the bytes; the handler may keep them
     */
    void received(AgentId from, byte[] content);
  }

  /** This agent. */
  AgentId self();

  /**
   * Sets the handler of a kind. To be called before the agent starts to receive.
   *
   * @param kind 0 to {@link #MAX_KIND}
   * @throws IllegalArgumentException if kind is out of range
   * @throws IllegalStateException if the kind has a handler, or the agent receives already
   */
  void handle(int kind, Handler handler);

  /**
   * Sends a message. To this agent itself it is delivered too, by the executor.
   *
   * @param to a life of an agent; messages for a former or unknown one fail
   * @param kind 0 to {@link #MAX_KIND}
   * @param content at most {@link #MAX_BYTES}; not copied, not to be changed any more
   * @return completes when the peer's agent has acknowledged the message: its handler has seen it
   *     or will see it next; fails with {@code NotExecutedException} if it certainly was not
   *     delivered, with {@code OutcomeUnknownException} if the peer was lost before it acknowledged
   * @throws IllegalArgumentException if kind or length is out of range
   */
  CompletableFuture<Void> send(AgentId to, int kind, byte[] content);
}
