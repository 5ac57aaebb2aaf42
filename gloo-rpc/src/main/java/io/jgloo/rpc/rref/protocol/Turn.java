package io.jgloo.rpc.rref.protocol;

import io.jgloo.rpc.agent.AgentId;
import java.util.ArrayList;
import java.util.List;

/** The tables while one step changes them. It never leaves {@link RRefProtocol#step}. */
final class Turn {

  final AgentId self;
  final List<Effect> effects = new ArrayList<>(4);

  PersistentMap<RRefId, Owned> owners;
  PersistentMap<ForkId, User> users;
  PersistentMap<ForkId, ForkId> children;
  PersistentMap<Object, Arrival> arrivals;
  PersistentMap<Message.Key, Message.Request> outbox;
  PersistentMap<RRefState.Path, NumberSet> finished;
  PersistentMap<Integer, Long> incarnations;

  final OwnerRules owner = new OwnerRules(this);
  final UserRules user = new UserRules(this);
  final ArrivalRules arrival = new ArrivalRules(this);
  final LossRules loss = new LossRules(this);

  Turn(RRefState state) {
    self = state.self();
    owners = state.owners();
    users = state.users();
    children = state.children();
    arrivals = state.arrivals();
    outbox = state.outbox();
    finished = state.finished();
    incarnations = state.incarnations();
  }

  RRefState state() {
    return new RRefState(self, owners, users, children, arrivals, outbox, finished, incarnations);
  }

  void emit(Effect effect) {
    effects.add(effect);
  }

  void send(AgentId to, Message message) {
    effects.add(new Effect.Send(to, message));
  }

  /** Sends a request and keeps it until it is answered; not to an agent that is lost. */
  void request(Message.Request request) {
    if (!isFenced(request.to())) {
      outbox = outbox.with(request.key(), request);
      send(request.to(), request);
    }
  }

  /** Takes a request out of the outbox; returns null if it is not there any more. */
  Message.Request answered(Class<? extends Message.Request> kind, ForkId fork, long ticket) {
    Message.Key key = new Message.Key(kind, fork, ticket);
    Message.Request request = outbox.get(key);
    outbox = outbox.without(key);
    return request;
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
    NumberSet numbers = finished.get(RRefState.Path.of(fork));
    return isFenced(fork.holder()) || (numbers != null && numbers.contains(fork.number()));
  }

  void finish(ForkId fork) {
    if (isFenced(fork.holder())) {
      return;
    }
    RRefState.Path path = RRefState.Path.of(fork);
    NumberSet numbers = finished.get(path);
    numbers = numbers == null ? NumberSet.EMPTY : numbers;
    finished = finished.with(path, numbers.with(fork.number()));
  }
}
