package io.jgloo.ps;

import io.jgloo.ps.membership.Join;
import io.jgloo.ps.membership.Members;
import io.jgloo.ps.node.NodeCountException;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.rendezvous.join.StoreJoin;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rpc.message.Messenger;
import io.jgloo.transport.Clock;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.MeshConnectException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Gives a node its rank and its connections.
 *
 * <p><i>Threads</i>: one.
 */
final class Start {

  private static final Logger LOG = System.getLogger(Start.class.getName());

  private static final long SETTLE_NANOS = Clock.nanos(Duration.ofSeconds(3));
  private static final Duration REPLACE = Duration.ofSeconds(10);
  private static final long PAUSE_NANOS = 20_000_000;

  private final PsNode node;
  private final PsOptions options;
  private final Topology topology;
  private final Members members;
  private final Store store;
  private final Store lasting;
  private final Join join;

  /**
   * @param store where the nodes find each other
   * @param lasting the same, for the time after the start
   */
  Start(PsNode node, PsOptions options, Members members, Store store, Store lasting) {
    this.node = node;
    this.options = options;
    this.members = members;
    this.store = store;
    this.lasting = lasting;
    topology = options.topology();
    join =
        new Join(
            store,
            options.messenger().group(),
            topology,
            options.startTimeout(),
            options.messenger().deviceOptions().secret());
  }

  /** Joins the system and waits for its nodes, as {@link PsNode#start}. */
  void run() {
    Join.Place place = place();
    if (place.rank() >= 0) {
      begin(place.rank(), topology.size());
    } else {
      takeRank(place.hasStarted());
    }
    if (options.role() == Role.SCHEDULER) {
      join.started();
    }
  }

  /** Begins anew when the store's server goes away, which may be that of an earlier run. */
  private Join.Place place() {
    StoreJoin again = new StoreJoin(store);
    while (true) {
      try {
        members.begin(join.run());
        return join.place(options.role(), options.rank());
      } catch (StoreUnavailableException e) {
        again.reconnect(e, join.left());
      }
    }
  }

  /** The system ends: who joins from now on is of the next run, in the next store. */
  void ending() {
    try {
      join.ending();
    } catch (JGlooException e) {
      LOG.log(Level.DEBUG, "the store does not take that the system ends", e);
    }
  }

  private void begin(int rank, int startAgents) {
    NodeId id = new NodeId(options.role(), rank);
    Messenger made =
        new Messenger(
            PsNode.name(options.role()) + "-" + rank,
            topology.agent(id),
            topology.size(),
            lasting,
            options.connections(join.left().plusMillis(1), startAgents));
    node.attach(made, id);
    try {
      made.start();
    } catch (MeshConnectException e) {
      List<NodeId> missing = e.causes().keySet().stream().map(topology::node).toList();
      throw new NodeCountException(
          (id + " is not connected to " + missing + " after " + options.startTimeout())
              + (": " + e.getMessage()),
          e);
    }
    node.attached();
  }

  /** Takes the rank of a node that has ended. */
  private void takeRank(boolean hasStarted) {
    if (hasStarted) {
      members.replace();
    }
    long last = System.nanoTime() + Math.min(REPLACE.toNanos(), join.left().toNanos());
    RuntimeException failure = null;
    do {
      for (int rank = 0; rank < topology.count(options.role()); rank++) {
        if (options.rank() >= 0 && rank != options.rank()) {
          continue;
        }
        try {
          begin(rank, hasStarted ? 1 : topology.size());
        } catch (IllegalStateException e) { // a living node has this rank
          failure = e;
          continue;
        }
        settle();
        return;
      }
      LockSupport.parkNanos(this, PAUSE_NANOS);
    } while (System.nanoTime() - last < 0);
    throw new NodeCountException(
        "all of the declared "
            + topology
            + " are there; there is no place for one more "
            + PsNode.name(options.role()),
        failure);
  }

  /**
   * Waits for connections to the nodes that a replacement needs, some of which may have ended too,
   * but not all.
   *
   * @throws NodeCountException if there is none: the others may still hear the node before
   */
  private void settle() {
    int needed =
        options.role() == Role.SERVER ? Topology.ALL : Topology.SCHEDULER + Topology.SERVERS;
    List<NodeId> nodes =
        topology.nodes(needed).stream().filter(each -> !each.equals(members.id())).toList();
    boolean isThere =
        members.await(
            () -> nodes.stream().anyMatch(members::isConnected),
            members.now() + join.left().toNanos());
    if (!isThere) {
      throw new NodeCountException(
          members.id() + ", a replacement, is not connected to any of " + nodes, null);
    }
    boolean unused =
        members.await(
            () -> nodes.stream().allMatch(members::isConnected), members.now() + SETTLE_NANOS);
  }
}
