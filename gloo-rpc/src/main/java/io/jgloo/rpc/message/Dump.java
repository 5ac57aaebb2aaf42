package io.jgloo.rpc.message;

import io.jgloo.rpc.agent.AgentId;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

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
      list(
          text,
          peer.calls,
          call ->
              ("    call " + call.id + " of service " + call.service)
                  + left(call.deadlineNanos, now));
      list(
          text,
          peer.requests,
          request ->
              ("    request " + request.call + " from it, " + request.credit + " bytes")
                  + left(request.deadlineNanos(), now));
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

  private static <T> void list(StringBuilder text, Map<Long, T> all, Function<T, String> one) {
    all.values().stream().limit(MOST_LISTED).forEach(each -> text.append(one.apply(each)));
    if (all.size() > MOST_LISTED) {
      text.append("    and " + (all.size() - MOST_LISTED) + " more\n");
    }
  }

  private static String left(long deadlineNanos, long now) {
    return ", deadline in " + (deadlineNanos - now) / 1_000_000 + " ms\n";
  }
}
