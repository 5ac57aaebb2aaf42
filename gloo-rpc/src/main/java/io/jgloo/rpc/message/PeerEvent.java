package io.jgloo.rpc.message;

import io.jgloo.rpc.agent.AgentId;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Flight Recorder event: an agent has joined, or was lost. */
@Name("io.jgloo.rpc.Peer")
@Label("Remote agent")
@Description("An agent has joined, or was lost")
@Category({"JGloo", "RPC"})
@StackTrace(false)
final class PeerEvent extends Event {

  @Label("Agent")
  final String agent;

  @Label("What happened")
  final String what;

  private PeerEvent(String agent, String what) {
    this.agent = agent;
    this.what = what;
  }

  static void joined(AgentId agent) {
    new PeerEvent(agent.toString(), "joined").commit();
  }

  static void lost(AgentId agent, Throwable cause) {
    new PeerEvent(agent.toString(), "lost: " + cause.getMessage()).commit();
  }
}
