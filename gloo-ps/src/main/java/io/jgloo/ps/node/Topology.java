package io.jgloo.ps.node;

import java.util.ArrayList;
import java.util.List;

/**
 * The declared numbers of servers and workers, and the numbers of groups and nodes that follow.
 *
 * <p>Group 1 is the scheduler, 2 the servers, 4 the workers; a sum of these is their union. Numbers
 * from 8 on are single nodes.
 *
 * @param servers at least 1
 * @param workers at least 1
 */
public record Topology(int servers, int workers) {

  /** The group of the scheduler. */
  public static final int SCHEDULER = 1;

  /** The group of all servers. */
  public static final int SERVERS = 2;

  /** The group of all workers. */
  public static final int WORKERS = 4;

  /** The group of all nodes. */
  public static final int ALL = 7;

  private static final int MOST = 1 << 15;

  /**
   * @throws IllegalArgumentException if a number is not 1 to 32768
   */
  public Topology {
    if (servers < 1 || servers > MOST || workers < 1 || workers > MOST) {
      throw new IllegalArgumentException(
          "servers and workers must be 1 to " + MOST + ", are " + servers + " and " + workers);
    }
  }

  /** Number of nodes. */
  public int size() {
    return 1 + servers + workers;
  }

  /** Number of nodes of a role. */
  public int count(Role role) {
    return switch (role) {
      case SCHEDULER -> 1;
      case SERVER -> servers;
      case WORKER -> workers;
    };
  }

  /** The number of the group of a role. */
  public static int group(Role role) {
    return switch (role) {
      case SCHEDULER -> SCHEDULER;
      case SERVER -> SERVERS;
      case WORKER -> WORKERS;
    };
  }

  /**
   * The nodes that a number stands for, the scheduler first, then servers, then workers.
   *
   * @param number of a group or of a node
   * @throws IllegalArgumentException if no group and no node has this number
   */
  public List<NodeId> nodes(int number) {
    if (number >= 8) {
      return List.of(require(NodeId.of(number)));
    }
    List<NodeId> nodes = new ArrayList<>();
    for (Role role : Role.values()) {
      for (int rank = 0; hasRole(number, role) && rank < count(role); rank++) {
        nodes.add(new NodeId(role, rank));
      }
    }
    return nodes;
  }

  /**
   * Whether the nodes of a role are in a group.
   *
   * @throws IllegalArgumentException if no group has this number
   */
  public static boolean hasRole(int group, Role role) {
    if (group < 1 || group > ALL) {
      throw new IllegalArgumentException("number of a group must be 1 to 7, is " + group);
    }
    return (group & group(role)) != 0;
  }

  private NodeId require(NodeId node) {
    if (node.rank() >= count(node.role())) {
      throw new IllegalArgumentException(
          node + " (number " + node.number() + ") does not exist among " + this);
    }
    return node;
  }

  /**
   * The rank of a node among all agents of the messenger.
   *
   * @throws IllegalArgumentException if there is no such node
   */
  public int agent(NodeId node) {
    require(node);
    return switch (node.role()) {
      case SCHEDULER -> 0;
      case SERVER -> 1 + node.rank();
      case WORKER -> 1 + servers + node.rank();
    };
  }

  /** The node of an agent's rank. */
  public NodeId node(int agent) {
    if (agent == 0) {
      return NodeId.SCHEDULER;
    }
    return agent <= servers ? NodeId.server(agent - 1) : NodeId.worker(agent - 1 - servers);
  }

  @Override
  public String toString() {
    return servers + " servers and " + workers + " workers";
  }
}
