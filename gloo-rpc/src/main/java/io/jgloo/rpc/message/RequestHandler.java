package io.jgloo.rpc.message;

/** Receives the requests for one service. */
@FunctionalInterface
public interface RequestHandler {

  /**
   * Takes a request, which is to be answered once, now or later, by any thread. Called by the
   * thread that runs the agent's events: must be short and must not block.
   */
  void received(IncomingRequest request);
}
