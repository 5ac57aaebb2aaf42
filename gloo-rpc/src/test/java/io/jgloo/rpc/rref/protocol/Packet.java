package io.jgloo.rpc.rref.protocol;

import io.jgloo.rpc.agent.AgentId;

/**
 * Something between two agents.
 *
 * @param content a {@link Message}, the {@link Message.Key} of an acknowledged request, or a {@link
 *     Call}
 */
record Packet(AgentId from, AgentId to, Object content) {

  /** What happens at the receiver. */
  Event event() {
    if (content instanceof Message message) {
      return new Event.Received(from, message);
    }
    return content instanceof Call call
        ? new Event.Arrived(from, call.key(), call.forks())
        : new Event.Acknowledged((Message.Key) content);
  }

  /** The acknowledgement of a request, or null. */
  Packet acknowledgement() {
    return content instanceof Message.Request request ? new Packet(to, from, request.key()) : null;
  }
}
