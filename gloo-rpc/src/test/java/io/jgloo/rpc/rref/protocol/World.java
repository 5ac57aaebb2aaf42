package io.jgloo.rpc.rref.protocol;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.rref.protocol.Facts.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The state of a whole group: the tables of each agent, and everything that was ever sent.
 *
 * <p>A control message stays on the network for good. That it may be delivered late is its delay;
 * that it may be delivered again is its duplication and its retry; that it may be delivered last of
 * all is its loss. So the set of all orders of delivery from here contains all of these. A call of
 * the application leaves the network when it is delivered.
 */
final class World implements Invariants.Group {

  private final Protocol protocol;
  private final List<RRefTables> agents;
  private final Set<Packet> network;
  private final Set<Packet> calls;
  private final Facts facts;

  /** Bits of the actions of the application that are done. */
  private final int done;

  /** Bits of the agents that have died. */
  private final int dead;

  private final boolean faulty;

  private World(
      Protocol protocol,
      List<RRefTables> agents,
      Set<Packet> network,
      Set<Packet> calls,
      Facts facts,
      int done,
      int dead,
      boolean faulty) {
    this.protocol = protocol;
    this.agents = agents;
    this.network = network;
    this.calls = calls;
    this.facts = facts;
    this.done = done;
    this.dead = dead;
    this.faulty = faulty;
  }

  static World of(Protocol protocol, int size) {
    List<RRefTables> agents = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      RRefTables tables = new RRefTables(agent(rank));
      for (int peer = 0; peer < size; peer++) {
        protocol.apply(tables, new Event.PeerSeen(agent(peer)));
      }
      agents.add(tables);
    }
    return new World(protocol, agents, Set.of(), Set.of(), new Facts(), 0, 0, false);
  }

  static AgentId agent(int rank) {
    return new AgentId(rank, 1);
  }

  /** Applies an event and checks the invariants. */
  World apply(int rank, Event event) {
    RRefTables before = agents.get(rank);
    RRefTables after = before.copy();
    List<Effect> effects = protocol.apply(after, event);
    if (effects.isEmpty() && after.equals(before)) {
      return this;
    }
    List<RRefTables> tables = new ArrayList<>(agents);
    tables.set(rank, after);
    Set<Packet> sent = new HashSet<>(network);
    Object ended = null;
    for (Effect effect : effects) {
      if (effect instanceof Effect.Send send) {
        sent.add(new Packet(before.self(), send.to(), send.message()));
      } else if (effect instanceof Effect.Refuse refuse && refuse.key() instanceof RRefId) {
        ended = refuse.key();
      }
    }
    World next = new World(protocol, tables, sent, calls, facts.copy(), done, dead, faulty);
    Invariants.check(next, next.facts, before, event, after, effects);
    return ended == null
        ? next
        : next.apply(
            rank, new Event.ValueSet((RRefId) ended, new Outcome.Refused(Reason.CREATION_FAILED)));
  }

  /** Delivers a packet. */
  World deliver(Packet packet) {
    World from = this;
    if (isDead(packet.to().rank())) {
      return this;
    }
    if (packet.content() instanceof Call) {
      from =
          new World(protocol, agents, network, without(calls, packet), facts, done, dead, faulty);
    }
    World after = from.apply(packet.to().rank(), packet.event());
    Packet acknowledgement = packet.acknowledgement();
    return acknowledgement == null ? after : after.send(acknowledgement);
  }

  private World send(Packet packet) {
    return network.contains(packet)
        ? this
        : new World(protocol, agents, with(network, packet), calls, facts, done, dead, faulty);
  }

  World call(int from, int to, Object key, ForkId... forks) {
    Packet packet = new Packet(agent(from), agent(to), new Call(key, List.of(forks)));
    return new World(protocol, agents, network, with(calls, packet), facts, done, dead, faulty);
  }

  /** Loses a call for good. */
  World lose(int from, int to, Object key, ForkId... forks) {
    Packet packet = new Packet(agent(from), agent(to), new Call(key, List.of(forks)));
    return new World(protocol, agents, network, without(calls, packet), facts, done, dead, faulty);
  }

  /** From here on forks may be refused. */
  World withFault() {
    return new World(protocol, agents, network, calls, facts, done, dead, true);
  }

  /** An agent ends without a word; what it has sent may still arrive. */
  World kill(int rank) {
    return new World(protocol, agents, network, calls, facts, done, dead | 1 << rank, true);
  }

  boolean isDead(int rank) {
    return (dead >>> rank & 1) != 0;
  }

  World withDone(int bit) {
    return new World(protocol, agents, network, calls, facts, done | 1 << bit, dead, faulty);
  }

  private static Set<Packet> with(Set<Packet> packets, Packet more) {
    Set<Packet> all = new HashSet<>(packets);
    all.add(more);
    return all;
  }

  private static Set<Packet> without(Set<Packet> packets, Packet one) {
    Set<Packet> rest = new HashSet<>(packets);
    rest.remove(one);
    return rest;
  }

  boolean isDone(int bit) {
    return (done >>> bit & 1) != 0;
  }

  /** Whether the handle of the fork is open. */
  boolean isOpen(ForkId fork) {
    if (isDead(fork.holder().rank())) {
      return false;
    }
    User user = agents.get(fork.holder().rank()).users().get(fork);
    return user != null && user.open();
  }

  boolean hasRun(int rank, Object key) {
    return !isDead(rank) && facts.has(Kind.RAN, List.of(agent(rank), key));
  }

  boolean isCalling(int from, int to, Object key, ForkId... forks) {
    return calls.contains(new Packet(agent(from), agent(to), new Call(key, List.of(forks))));
  }

  Facts facts() {
    return facts;
  }

  List<Packet> packets() {
    List<Packet> all = new ArrayList<>(network);
    all.addAll(calls);
    return all;
  }

  @Override
  public RRefTables state(AgentId agent) {
    return isDead(agent.rank()) ? null : agents.get(agent.rank());
  }

  @Override
  public List<RRefTables> states() {
    List<RRefTables> living = new ArrayList<>(agents);
    living.removeIf(state -> isDead(state.self().rank()));
    return living;
  }

  @Override
  public boolean isOnItsWay(RRefId ref) {
    return calls.stream()
        .flatMap(packet -> ((Call) packet.content()).forks().stream())
        .anyMatch(fork -> fork.ref().equals(ref));
  }

  @Override
  public boolean isFaulty() {
    return faulty;
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof World that
            && done == that.done
            && dead == that.dead
            && faulty == that.faulty
            && agents.equals(that.agents)
            && network.equals(that.network)
            && calls.equals(that.calls)
            && facts.equals(that.facts));
  }

  @Override
  public int hashCode() {
    return Objects.hash(done, dead, agents, network, calls, facts);
  }
}
