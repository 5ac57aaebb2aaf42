package io.jgloo.rpc.message;

import io.jgloo.rpc.agent.AgentId;
import java.util.Collection;
import java.util.List;

/**
 * The state of a messenger as text for people.
 *
 * <p><i>Threads</i>: the one that runs the agent's events.
 */
final class Dump {

  private static final int MOST_LISTED = 20;

  private Dump() {}

  static String of(AgentId self, List<Peer> peers, long now) {
    StringBuilder text = new StringBuilder("agent ").append(self).append('\n');
    for (Peer peer : peers) {
      text.append("  rank ").append(peer.rank).append(": ");
      if (peer.id() == null) {
        text.append(peer.loss == null ? "has not come" : "lost: " + peer.loss.getMessage());
      } else {
        text.append(peer.id()).append(" '").append(peer.name()).append('\'');
        text.append(peer.id().equals(self) ? ", this agent" : state(peer));
      }
      text.append('\n');
      calls(text, peer.calls.values(), now);
      requests(text, peer.requests.values(), now);
    }
    return text.toString();
  }

  private static String state(Peer peer) {
    return (peer.isConnected ? ", connected" : ", not connected")
        + (peer.leaving ? ", leaving" : "")
        + (", " + peer.framesUnderWay + " frames in the transport, ")
        + (peer.kept() + " bytes are kept for it, ")
        + peer.session.describe();
  }

  private static void calls(StringBuilder text, Collection<PendingCall> calls, long now) {
    calls.stream()
        .limit(MOST_LISTED)
        .forEach(
            call ->
                text.append("    call ")
                    .append(call.id)
                    .append(" of service ")
                    .append(call.service)
                    .append(", deadline in ")
                    .append((call.deadlineNanos - now) / 1_000_000)
                    .append(" ms\n"));
    more(text, calls.size(), "calls");
  }

  private static void requests(StringBuilder text, Collection<IncomingRequest> requests, long now) {
    requests.stream()
        .limit(MOST_LISTED)
        .forEach(
            request ->
                text.append("    request ")
                    .append(request.call)
                    .append(" from it, ")
                    .append(request.credit)
                    .append(" bytes, deadline in ")
                    .append((request.deadlineNanos() - now) / 1_000_000)
                    .append(" ms\n"));
    more(text, requests.size(), "requests");
  }

  private static void more(StringBuilder text, int count, String what) {
    if (count > MOST_LISTED) {
      text.append("    and ").append(count - MOST_LISTED).append(" more ").append(what);
      text.append('\n');
    }
  }
}
