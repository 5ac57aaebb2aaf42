package io.jgloo.ps;

import io.jgloo.rpc.message.AgentId;
import io.jgloo.rpc.message.Messenger;
import io.jgloo.transport.Clock;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.GlooException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The nodes of a system as one of them sees them: which are there, why others are lost, and the
 * messenger that reaches them.
 *
 * <p><i>Threads</i>: any.
 */
final class Members {

  private final Role role;
  private final Topology topology;
  private final Map<NodeId, GlooException> losses = new ConcurrentHashMap<>();
  private volatile String run;
  private volatile boolean replacement;
  private volatile Messenger messenger;
  private volatile NodeId self;

  /**
   * @param role of the node that sees them
   */
  Members(Role role, Topology topology) {
    this.role = role;
    this.topology = topology;
  }

  /** Says which run of the system this is, before {@link #attach}. */
  void begin(String itsRun) {
    run = itsRun;
  }

  /** The node takes the rank of one that has ended. */
  void replace() {
    replacement = true;
  }

  /** Uses a messenger from now on. */
  void attach(Messenger made, NodeId node) {
    self = node;
    messenger = made;
  }

  /** A node has come. */
  void joined(AgentId peer) {
    losses.remove(topology.node(peer.rank()));
  }

  /** A node is lost. */
  void lost(AgentId peer, GlooException cause) {
    losses.put(topology.node(peer.rank()), cause);
  }

  /** Whether there is a messenger. */
  boolean isAttached() {
    return messenger != null;
  }

  /**
   * The messenger that reaches them.
   *
   * @throws IllegalStateException if the node has not started
   */
  Messenger messenger() {
    return started(messenger);
  }

  /**
   * The node itself.
   *
   * @throws IllegalStateException if it has not started
   */
  NodeId id() {
    return started(self);
  }

  private <T> T started(T value) {
    if (value == null) {
      throw new IllegalStateException(
          "the " + role.name().toLowerCase(Locale.ROOT) + " has not started");
    }
    return value;
  }

  Topology topology() {
    return topology;
  }

  /** Identifies this run of the system, of which all nodes have the same. */
  String run() {
    return run;
  }

  /** Whether the node has taken the rank of one that has ended. */
  boolean isReplacement() {
    return replacement;
  }

  long now() {
    return messenger().clock().nanoTime();
  }

  /** The agent of a node, or null if it is not there. */
  AgentId agent(NodeId node) {
    return messenger().agent(topology.agent(node)).orElse(null);
  }

  /** Whether a node is known and not lost. */
  boolean isUp(NodeId node) {
    return agent(node) != null;
  }

  /** Why a node was lost, or null. */
  GlooException loss(NodeId node) {
    return losses.get(node);
  }

  /** What a call fails with that needs a node which is not there. */
  NodeLostException lost(NodeId node) {
    GlooException cause = loss(node);
    return new NodeLostException(
        node + " is not there" + (cause == null ? "" : ": " + cause.getMessage()), cause);
  }

  /** Waits until a condition is met; false if it is not at the deadline. */
  boolean await(CompletionQueue.Condition condition, long deadlineNanos) {
    return messenger().await(condition, deadlineNanos);
  }

  /** Waits until a node is there; false if it is not at the timeout. */
  boolean awaitUp(NodeId node, Duration timeout) {
    return await(() -> isUp(node), now() + Clock.nanos(timeout));
  }
}
