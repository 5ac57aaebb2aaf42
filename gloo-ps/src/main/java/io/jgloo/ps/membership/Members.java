package io.jgloo.ps.membership;

import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.node.NodeLostException;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.message.Messenger;
import io.jgloo.transport.Clock;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.JGlooException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The nodes of a system as one of them sees them: which are there, why others are lost, and the
 * messenger that reaches them.
 *
 * <p><i>Threads</i>: any.
 */
public final class Members {

  private static final long LATE_NANOS = 2_000_000_000L;

  private final Role role;
  private final Topology topology;
  private final Map<NodeId, JGlooException> losses = new ConcurrentHashMap<>();
  private final Set<NodeId> connected = ConcurrentHashMap.newKeySet();
  private volatile String run;
  private volatile boolean replacement;
  private volatile Messenger messenger;
  private volatile NodeId self;

  /**
   * @param role of the node that sees them
   */
  public Members(Role role, Topology topology) {
    this.role = role;
    this.topology = topology;
  }

  /** Says which run of the system this is, before {@link #attach}. */
  public void begin(String run) {
    this.run = run;
  }

  /** The node takes the rank of one that has ended. */
  public void replace() {
    replacement = true;
  }

  /** Uses a messenger from now on. */
  public void attach(Messenger made, NodeId node) {
    self = node;
    messenger = made;
  }

  /** A node has come. */
  public void joined(AgentId peer) {
    losses.remove(topology.node(peer.rank()));
    connected.add(topology.node(peer.rank()));
  }

  /** A node is lost. */
  public void lost(AgentId peer, JGlooException cause) {
    losses.put(topology.node(peer.rank()), cause);
    connected.remove(topology.node(peer.rank()));
  }

  /** Whether there is a connection to a node, or it is this one. */
  public boolean isConnected(NodeId node) {
    return connected.contains(node) || node.equals(self);
  }

  /** Whether there is a messenger. */
  public boolean isAttached() {
    return messenger != null;
  }

  /**
   * The messenger that reaches them.
   *
   * @throws IllegalStateException if the node has not started
   */
  public Messenger messenger() {
    return started(messenger);
  }

  /**
   * The node itself.
   *
   * @throws IllegalStateException if it has not started
   */
  public NodeId id() {
    return started(self);
  }

  private <T> T started(T value) {
    if (value == null) {
      throw new IllegalStateException(
          "the " + role.name().toLowerCase(Locale.ROOT) + " has not started");
    }
    return value;
  }

  public Topology topology() {
    return topology;
  }

  /** Identifies this run of the system, of which all nodes have the same. */
  public String run() {
    return run;
  }

  /** Whether the node has taken the rank of one that has ended. */
  public boolean isReplacement() {
    return replacement;
  }

  public long now() {
    return messenger().clock().nanoTime();
  }

  /** The agent of a node, or null if it is not there. */
  public AgentId agent(NodeId node) {
    return messenger().agent(topology.agent(node)).orElse(null);
  }

  /** Whether a node is known and not lost. */
  public boolean isUp(NodeId node) {
    return agent(node) != null;
  }

  /** Why a node was lost, or null. */
  JGlooException loss(NodeId node) {
    return losses.get(node);
  }

  /** What a call fails with that needs a node which is not there. */
  public NodeLostException lost(NodeId node) {
    JGlooException cause = loss(node);
    return new NodeLostException(
        node + " is not there" + (cause == null ? "" : ": " + cause.getMessage()), cause);
  }

  /** Waits until a condition is met; false if it is not at the deadline. */
  public boolean await(CompletionQueue.Condition condition, long deadlineNanos) {
    return messenger().await(condition, deadlineNanos);
  }

  /** Runs what waits in a daemon thread of its own. */
  public static void inThread(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Waits for what has ended soon after a deadline, because a timer ends it. */
  public void awaitEnd(CompletionQueue.Condition ended, long deadlineNanos) {
    while (!ended.isMet() && !await(ended, deadlineNanos + LATE_NANOS)) {
      messenger().wakeup(); // the timer is late
    }
  }

  /**
   * Sends a request.
   *
   * @param message belongs to the messenger from now on
   */
  public Outcome request(
      AgentId to, int service, Message message, Priority priority, long deadlineNanos) {
    Outcome outcome = new Outcome();
    outcome.call = messenger().request(to, service, message, priority, deadlineNanos, outcome);
    return outcome;
  }

  /** Waits until a node is there; false if it is not at the timeout. */
  public boolean awaitUp(NodeId node, Duration timeout) {
    return await(() -> isUp(node), now() + Clock.nanos(timeout));
  }
}
