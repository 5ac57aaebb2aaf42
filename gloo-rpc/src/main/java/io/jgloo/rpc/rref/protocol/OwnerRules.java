package io.jgloo.rpc.rref.protocol;

import io.jgloo.rpc.agent.AgentId;

/**
 * What an owner does.
 *
 * <p>A fork goes one way: unknown, known (in {@link Owned#forks}), deleted (in {@link
 * RRefState#finished}). An entry is dropped when it has no known fork, no handle and no fetch.
 */
final class OwnerRules {

  private final Turn turn;

  OwnerRules(Turn turn) {
    this.turn = turn;
  }

  private Owned entry(RRefId ref) {
    Owned owned = turn.owners.get(ref);
    return owned == null ? Owned.ABSENT : owned;
  }

  /** Stores the entry, or drops it if nothing refers to it any more. */
  private void put(RRefId ref, Owned owned) {
    if (!owned.isUnused()) {
      turn.owners = turn.owners.with(ref, owned);
      return;
    }
    turn.owners = turn.owners.without(ref);
    if (owned.created()) {
      if (ref.creator().equals(turn.self)) {
        turn.finish(ref.root());
      }
      turn.emit(new Effect.Dropped(ref, owned.outcome()));
    }
  }

  /** Whether no value of this reference exists or can come into being. */
  private boolean isDead(RRefId ref, Owned owned) {
    return owned.outcome() instanceof Outcome.Refused
        || (!owned.created() && (turn.isFinished(ref.root()) || turn.isFenced(ref.creator())));
  }

  boolean isDead(RRefId ref) {
    return isDead(ref, entry(ref));
  }

  // What the application does.

  void created(Event.OwnerCreated event) {
    put(event.ref(), Owned.ABSENT.create(event.outcome()).addHandles(1));
  }

  void valueSet(Event.ValueSet event) {
    Owned owned = turn.owners.get(event.ref());
    if (owned == null || owned.outcome() != null) {
      return;
    }
    set(event.ref(), owned, event.outcome());
  }

  private void set(RRefId ref, Owned owned, Outcome outcome) {
    for (Message.Fetch fetch : owned.parked()) {
      reply(fetch, outcome);
    }
    put(ref, owned.withOutcome(outcome));
  }

  private void reply(Message.Fetch fetch, Outcome outcome) {
    turn.send(fetch.fork().holder(), new Message.FetchReply(fetch.fork(), fetch.ticket(), outcome));
  }

  /** Adds handles, also to an entry that only waits for its creation. */
  void handles(RRefId ref, int more) {
    Owned owned = turn.owners.get(ref);
    if (owned != null || more > 0) {
      put(ref, entry(ref).addHandles(more));
    }
  }

  void forked(Event.OwnerForked event) {
    RRefId ref = event.child().ref();
    Owned owned = turn.owners.get(ref);
    if (owned == null) {
      turn.emit(new Effect.Denied(event.child(), Reason.CLOSED));
    } else if (!turn.isFinished(event.child())) {
      put(ref, owned.add(event.child()));
    }
  }

  // What users ask for.

  void remoteCall(AgentId from, Message.RemoteCall message) {
    ForkId root = message.fork();
    RRefId ref = root.ref();
    Owned owned = entry(ref);
    if (!root.isRoot() || !root.holder().equals(from) || !root.owner().equals(turn.self)) {
      turn.reject(from, message, "not the root fork of a reference of mine, or not of the sender");
    } else if (owned.forks().contains(root)) {
      turn.send(from, new Message.UserAccept(root));
    } else if (!turn.isFinished(root)) {
      turn.owners = turn.owners.with(ref, owned.create(null).add(root));
      turn.send(from, new Message.UserAccept(root));
      owned.waiting().forEach(turn.arrival::confirmed);
      turn.arrival.arrived(new Event.Arrived(from, ref, message.arguments()));
    }
  }

  void fetch(AgentId from, Message.Fetch message) {
    RRefId ref = message.fork().ref();
    Owned owned = entry(ref);
    if (!isHeldBy(from, message.fork())) {
      turn.reject(from, message, "not a fork of the sender and of a reference of mine");
    } else if (turn.isFinished(message.fork())) {
      reply(message, new Outcome.Refused(Reason.DELETED));
    } else if (isDead(ref, owned)) {
      reply(message, new Outcome.Refused(Reason.CREATION_FAILED));
    } else if (owned.outcome() == null) {
      put(ref, owned.park(message));
    } else {
      reply(message, owned.outcome());
    }
  }

  void forkRequest(AgentId from, Message.ForkRequest message) {
    ForkId fork = message.fork();
    Owned owned = entry(fork.ref());
    if (!isHeldBy(from, fork)) {
      turn.reject(from, message, "not a fork of the sender and of a reference of mine");
      return;
    }
    Reason refused = null;
    if (turn.isFinished(fork)) {
      refused = Reason.DELETED;
    } else if (!owned.forks().contains(fork) && isDead(fork.ref(), owned)) {
      turn.finish(fork);
      refused = Reason.CREATION_FAILED;
    } else {
      put(fork.ref(), owned.add(fork));
    }
    turn.send(from, new Message.ForkReply(fork, refused));
  }

  void userDelete(AgentId from, Message.UserDelete message) {
    if (isHeldBy(from, message.fork())) {
      delete(message.fork());
    } else {
      turn.reject(from, message, "not a fork of the sender and of a reference of mine");
    }
  }

  /** A creator takes back what was never delivered; a fork that the holder has used stays. */
  void cancel(AgentId from, Message.Cancel message) {
    ForkId fork = message.fork();
    boolean mine = fork.creator().equals(from) && fork.owner().equals(turn.self);
    if (mine && !entry(fork.ref()).forks().contains(fork)) {
      delete(fork);
    } else {
      turn.reject(from, message, "not a fork made by the sender, or in use");
    }
  }

  /** The owner needs no fork of its own: it takes a handle instead. Returns whether it exists. */
  boolean arrived(Object key, ForkId fork) {
    handles(fork.ref(), 1);
    delete(fork);
    if (!fork.creator().equals(turn.self)) {
      turn.request(new Message.ChildAccept(fork));
    }
    Owned owned = turn.owners.get(fork.ref());
    if (!owned.created()) {
      turn.owners = turn.owners.with(fork.ref(), owned.await(key));
    }
    return owned.created();
  }

  private boolean isHeldBy(AgentId from, ForkId fork) {
    return fork.holder().equals(from) && fork.owner().equals(turn.self);
  }

  /** Moves a fork to its last state, known or not. */
  void delete(ForkId fork) {
    turn.finish(fork);
    RRefId ref = fork.ref();
    Owned owned = turn.owners.get(ref);
    if (owned != null) {
      put(ref, owned.remove(fork));
      failIfDead(ref);
    }
  }

  /** Ends what waits for a call that will not come. */
  void failIfDead(RRefId ref) {
    Owned owned = turn.owners.get(ref);
    if (owned != null && owned.outcome() == null && isDead(ref, owned)) {
      set(ref, owned.create(null), new Outcome.Refused(Reason.CREATION_FAILED));
      owned.waiting().forEach(key -> turn.arrival.refused(key, Reason.CREATION_FAILED));
    }
  }
}
