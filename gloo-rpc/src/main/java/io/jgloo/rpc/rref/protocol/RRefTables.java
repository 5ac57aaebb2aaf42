package io.jgloo.rpc.rref.protocol;

import io.jgloo.rpc.agent.AgentId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The tables of one agent, and the protocol of remote references: a function from tables and event
 * to tables and effects.
 *
 * <p><i>Threads</i>: one after another. An agent carries out the effects in their order.
 */
public final class RRefTables {

  /** From the maker of a fork to its holder, for one owner: each path counts its forks. */
  public record Path(AgentId owner, AgentId creator, AgentId holder) {

    /** Returns the path of the fork. */
    public static Path of(ForkId fork) {
      return new Path(fork.owner(), fork.creator(), fork.holder());
    }
  }

  final AgentId self;

  /** The references whose values this agent holds. */
  final Map<RRefId, Owned> owners = new HashMap<>();

  /** The forks that this agent holds. */
  final Map<ForkId, User> users = new HashMap<>();

  /** Forks made from one of this agent's that their holders have not accepted: child to parent. */
  final Map<ForkId, ForkId> children = new HashMap<>();

  /** Calls and results that wait for their references. */
  final Map<Object, Arrival> arrivals = new HashMap<>();

  /** Requests without an answer. */
  final Map<Message.Key, Message.Request> outbox = new HashMap<>();

  /**
   * Numbers of the forks that this agent has deleted as their owner, or refused as their holder:
   * they never come back, however late a copy of an old message is.
   */
  final Map<Path, NumberSet> finished = new HashMap<>();

  /** For each rank the newest incarnation seen; older ones change nothing. */
  final Map<Integer, Long> incarnations = new HashMap<>();

  final OwnerRules owner = new OwnerRules(this);
  final UserRules user = new UserRules(this);
  final ArrivalRules arrival = new ArrivalRules(this);
  private List<Effect> effects = List.of();

  /** Makes the tables of an agent that has seen nothing. */
  public RRefTables(AgentId self) {
    this.self = self;
  }

  /** Applies one event; returns what the agent has to do. */
  public List<Effect> apply(Event event) {
    effects = new ArrayList<>(4);
    event.applyTo(this);
    return effects;
  }

  /** The agent. */
  public AgentId self() {
    return self;
  }

  /** The references whose values this agent holds. */
  public Map<RRefId, Owned> owners() {
    return owners;
  }

  /** The forks that this agent holds. */
  public Map<ForkId, User> users() {
    return users;
  }

  /** Forks of this agent's making that are not accepted, with their parents. */
  public Map<ForkId, ForkId> children() {
    return children;
  }

  /** Calls and results that wait for their references. */
  public Map<Object, Arrival> arrivals() {
    return arrivals;
  }

  /** Requests without an answer. */
  public Map<Message.Key, Message.Request> outbox() {
    return outbox;
  }

  /** Number of ranges of numbers of deleted forks: a measure of their memory. */
  public long finishedRanges() {
    return finished.values().stream().mapToLong(NumberSet::ranges).sum();
  }

  /** Whether no reference is left, here or on its way. */
  public boolean isQuiet() {
    return owners.isEmpty()
        && users.isEmpty()
        && children.isEmpty()
        && arrivals.isEmpty()
        && outbox.isEmpty();
  }

  /** Whether the agent knows the fork, as its owner or as its maker. */
  public boolean isKnown(ForkId fork) {
    Owned owned = owners.get(fork.ref());
    return children.containsKey(fork) || (owned != null && owned.forks().contains(fork));
  }

  void receive(AgentId from, Message message) {
    if (!isFenced(from)) {
      seen(from);
      message.receivedBy(this, from);
    } else if (!message.equals(new Message.Fenced())) {
      send(from, new Message.Fenced());
    }
  }

  /** A request whose answer has a content waits for that answer, not for the acknowledgement. */
  void acknowledged(Message.Key request) {
    Class<?> kind = request.kind();
    if (kind != Message.RemoteCall.class
        && kind != Message.ForkRequest.class
        && kind != Message.Fetch.class) {
      outbox.remove(request);
    }
  }

  void creationFailed(ForkId root) {
    if (answered(Message.RemoteCall.class, root, 0) instanceof Message.RemoteCall call) {
      user.fail(root, User.Status.FAILED, Reason.CREATION_FAILED);
      call.arguments().forEach(this::unknown);
    }
  }

  void notDelivered(ForkId child) {
    if (child.owner().equals(self)) {
      owner.delete(child);
    } else {
      user.notDelivered(child);
    }
  }

  void unknown(ForkId child) {
    if (isKnown(child)) {
      request(new Message.Withdraw(child));
    }
  }

  // When another agent is lost.

  /** An incarnation was seen: all before it are lost. */
  void seen(AgentId peer) {
    Long newest = incarnations.get(peer.rank());
    if (newest == null || newest < peer.incarnation()) {
      fence(peer.rank(), peer.incarnation());
    }
  }

  /** Nothing that a lost incarnation held or owned stays; no message of it changes anything. */
  void lost(AgentId peer) {
    if (!isFenced(peer)) {
      fence(peer.rank(), peer.incarnation() + 1);
      // If it lives after all, it learns that its references here are gone.
      send(peer, new Message.Fenced());
    }
  }

  private void fence(int rank, long newest) {
    incarnations.put(rank, newest);
    List.copyOf(users.keySet()).forEach(fork -> endAtUser(fork, rank));
    for (ForkId child : List.copyOf(children.keySet())) {
      if (isOf(child.holder(), rank) || isOf(child.owner(), rank)) {
        user.release(child);
      }
    }
    List.copyOf(owners.keySet()).forEach(ref -> endAtOwner(ref, rank));
    outbox.values().removeIf(request -> isOf(request.to(), rank));
    finished.keySet().removeIf(path -> isOf(path.holder(), rank));
  }

  private boolean isOf(AgentId agent, int rank) {
    return agent.rank() == rank && isFenced(agent);
  }

  private void endAtUser(ForkId fork, int rank) {
    User entry = users.get(fork);
    if (entry == null || !isOf(fork.owner(), rank) || !entry.isUsable()) {
      return;
    }
    user.fail(fork, User.Status.REFUSED, Reason.OWNER_LOST);
    if (entry.status() == User.Status.PENDING && !fork.isRoot()) {
      request(new Message.ChildAccept(fork));
    }
  }

  private void endAtOwner(RRefId ref, int rank) {
    Owned owned = owners.get(ref);
    if (owned != null) {
      Stream.concat(owned.parked().stream().map(Message.Fetch::fork), owned.forks().stream())
          .filter(fork -> isOf(fork.holder(), rank))
          .toList()
          .forEach(owner::delete);
      owner.failIfDead(ref);
    }
  }

  // What the rules share.

  void emit(Effect effect) {
    effects.add(effect);
  }

  void send(AgentId to, Message message) {
    effects.add(new Effect.Send(to, message));
  }

  /** Sends a request and keeps it until it is answered; not to an agent that is lost. */
  void request(Message.Request request) {
    if (!isFenced(request.to())) {
      outbox.put(request.key(), request);
      send(request.to(), request);
    }
  }

  /** Takes a request out of the outbox; returns null if it is not there any more. */
  Message.Request answered(Class<? extends Message.Request> kind, ForkId fork, long ticket) {
    return outbox.remove(new Message.Key(kind, fork, ticket));
  }

  void reject(AgentId from, Object message, String why) {
    effects.add(new Effect.Rejected(from, message, why));
  }

  boolean isFenced(AgentId agent) {
    Long newest = incarnations.get(agent.rank());
    return newest != null && agent.incarnation() < newest;
  }

  /** Whether the fork is deleted; all forks of a lost holder are. */
  boolean isFinished(ForkId fork) {
    NumberSet numbers = finished.get(Path.of(fork));
    return isFenced(fork.holder()) || (numbers != null && numbers.contains(fork.number()));
  }

  void finish(ForkId fork) {
    if (!isFenced(fork.holder())) {
      finished.computeIfAbsent(Path.of(fork), absent -> new NumberSet()).add(fork.number());
    }
  }

  // What tests of all states need.

  RRefTables copy() {
    RRefTables copy = new RRefTables(self);
    owners.forEach((ref, owned) -> copy.owners.put(ref, owned.copy()));
    copy.users.putAll(users);
    copy.children.putAll(children);
    copy.arrivals.putAll(arrivals);
    copy.outbox.putAll(outbox);
    finished.forEach((path, numbers) -> copy.finished.put(path, numbers.copy()));
    copy.incarnations.putAll(incarnations);
    return copy;
  }

  private List<Object> parts() {
    return List.of(self, owners, users, children, arrivals, outbox, finished, incarnations);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RRefTables that && parts().equals(that.parts());
  }

  @Override
  public int hashCode() {
    return parts().hashCode();
  }

  @Override
  public String toString() {
    return parts().toString();
  }
}
