package io.jgloo.rpc.message;

import io.jgloo.transport.GlooException;

/**
 * Receives the outcome of a request: one of its methods is called, once.
 *
 * <p><i>Threads</i>: the one that runs the agent's events; must be short and must not block.
 */
public interface ReplyHandler {

  /**
   * The request was executed.
   *
   * @param status what the callee gave to {@link IncomingRequest#reply}
   * @param reply belongs to the receiver
   */
  void replied(int status, Message reply);

  /**
   * There is no reply.
   *
   * @param cause a {@link NotExecutedException} or an {@link OutcomeUnknownException}
   */
  void failed(GlooException cause);
}
