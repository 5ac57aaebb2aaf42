package io.jgloo.rpc.rref.protocol;

import io.jgloo.rpc.agent.AgentId;
import java.util.List;

/**
 * The rules of an owner.
 *
 * <p>A fork goes one way: unknown, known (in {@link Owned#forks}), deleted (in {@link
 * RRefTables#finished}). An entry is dropped when it has no known fork, no handle and no fetch.
 */
final class OwnerRules {

  private final RRefTables tables;

  OwnerRules(RRefTables tables) {
    this.tables = tables;
  }

  private Owned entry(RRefId ref) {
    Owned owned = tables.owners.get(ref);
    return owned == null ? new Owned() : owned;
  }

  /** Stores the entry, or drops it if nothing refers to it any more. */
  private void put(RRefId ref, Owned owned) {
    if (!owned.isUnused()) {
      tables.owners.put(ref, owned);
      return;
    }
    tables.owners.remove(ref);
    if (owned.created()) {
      if (ref.creator().equals(tables.self)) {
        tables.finish(ref.root());
      }
      tables.emit(new Effect.Dropped(ref, owned.outcome()));
    }
  }

  /** Whether no value of this reference exists or can come into being. */
  private boolean isDead(RRefId ref, Owned owned) {
    return owned.outcome() instanceof Outcome.Refused
        || (!owned.created() && (tables.isFinished(ref.root()) || tables.isFenced(ref.creator())));
  }

  boolean isDead(RRefId ref) {
    return isDead(ref, entry(ref));
  }

  // What the application does.

  void created(Event.OwnerCreated event) {
    Owned owned = new Owned();
    owned.create(event.outcome());
    owned.addHandles(1);
    put(event.ref(), owned);
  }

  void valueSet(Event.ValueSet event) {
    Owned owned = tables.owners.get(event.ref());
    if (owned == null || owned.outcome() != null) {
      tables.emit(new Effect.Discarded(event.outcome()));
    } else {
      set(event.ref(), owned, event.outcome());
    }
  }

  private void set(RRefId ref, Owned owned, Outcome outcome) {
    owned.set(outcome).forEach(fetch -> reply(fetch, outcome));
    put(ref, owned);
  }

  private void reply(Message.Fetch fetch, Outcome outcome) {
    tables.send(
        fetch.fork().holder(), new Message.FetchReply(fetch.fork(), fetch.ticket(), outcome));
  }

  /** Adds handles, also to an entry that only waits for its creation. */
  void handles(RRefId ref, int more) {
    Owned owned = tables.owners.get(ref);
    if (owned != null || more > 0) {
      owned = entry(ref);
      owned.addHandles(more);
      put(ref, owned);
    }
  }

  void forked(Event.OwnerForked event) {
    RRefId ref = event.child().ref();
    Owned owned = tables.owners.get(ref);
    if (owned == null) {
      tables.emit(new Effect.Denied(event.child(), Reason.CLOSED));
    } else if (!tables.isFinished(event.child())) {
      owned.forks().add(event.child());
    }
  }

  // What users ask for.

  void remoteCall(AgentId from, Message.RemoteCall message) {
    ForkId root = message.fork();
    RRefId ref = root.ref();
    Owned owned = entry(ref);
    if (!root.isRoot() || !root.holder().equals(from) || !root.owner().equals(tables.self)) {
      tables.reject(
          from, message, "not the root fork of a reference of mine, or not of the sender");
    } else if (owned.forks().contains(root)) {
      tables.send(from, new Message.UserAccept(root));
    } else if (!tables.isFinished(root)) {
      tables.owners.put(ref, owned);
      owned.forks().add(root);
      List<Object> waited = owned.create(null);
      tables.send(from, new Message.UserAccept(root));
      waited.forEach(tables.arrival::confirmed);
      tables.arrival.arrived(new Event.Arrived(from, ref, message.arguments()));
    }
  }

  void fetch(AgentId from, Message.Fetch message) {
    RRefId ref = message.fork().ref();
    Owned owned = entry(ref);
    if (!isHeldBy(from, message.fork())) {
      tables.reject(from, message, "not a fork of the sender and of a reference of mine");
    } else if (tables.isFinished(message.fork())) {
      reply(message, new Outcome.Refused(Reason.DELETED));
    } else if (isDead(ref, owned)) {
      reply(message, new Outcome.Refused(Reason.CREATION_FAILED));
    } else if (owned.outcome() == null) {
      owned.park(message);
      put(ref, owned);
    } else {
      reply(message, owned.outcome());
    }
  }

  void forkRequest(AgentId from, Message.ForkRequest message) {
    ForkId fork = message.fork();
    Owned owned = entry(fork.ref());
    if (!isHeldBy(from, fork)) {
      tables.reject(from, message, "not a fork of the sender and of a reference of mine");
      return;
    }
    Reason refused = null;
    if (tables.isFinished(fork)) {
      refused = Reason.DELETED;
    } else if (!owned.forks().contains(fork) && isDead(fork.ref(), owned)) {
      tables.finish(fork);
      refused = Reason.CREATION_FAILED;
    } else {
      owned.forks().add(fork);
      put(fork.ref(), owned);
    }
    tables.send(from, new Message.ForkReply(fork, refused));
  }

  void userDelete(AgentId from, Message.UserDelete message) {
    if (isHeldBy(from, message.fork())) {
      delete(message.fork());
    } else {
      tables.reject(from, message, "not a fork of the sender and of a reference of mine");
    }
  }

  /** A creator takes back what was never delivered; a fork that the holder has used stays. */
  void cancel(AgentId from, Message.Cancel message) {
    ForkId fork = message.fork();
    boolean mine = fork.creator().equals(from) && fork.owner().equals(tables.self);
    if (mine && !entry(fork.ref()).forks().contains(fork)) {
      delete(fork);
    } else {
      tables.reject(from, message, "not a fork made by the sender, or in use");
    }
  }

  /** The owner needs no fork of its own: it takes a handle instead. Returns whether it exists. */
  boolean arrived(Object key, ForkId fork) {
    handles(fork.ref(), 1);
    delete(fork);
    if (!fork.creator().equals(tables.self)) {
      tables.request(new Message.ChildAccept(fork));
    }
    Owned owned = tables.owners.get(fork.ref());
    if (!owned.created()) {
      owned.await(key);
    }
    return owned.created();
  }

  private boolean isHeldBy(AgentId from, ForkId fork) {
    return fork.holder().equals(from) && fork.owner().equals(tables.self);
  }

  /** Moves a fork to its last state, known or not. */
  void delete(ForkId fork) {
    tables.finish(fork);
    RRefId ref = fork.ref();
    Owned owned = tables.owners.get(ref);
    if (owned != null) {
      owned.remove(fork);
      put(ref, owned);
      failIfDead(ref);
    }
  }

  /** Ends what waits for a call that will not come. */
  void failIfDead(RRefId ref) {
    Owned owned = tables.owners.get(ref);
    if (owned != null && owned.outcome() == null && isDead(ref, owned)) {
      List<Object> waited = owned.create(null);
      set(ref, owned, new Outcome.Refused(Reason.CREATION_FAILED));
      waited.forEach(key -> tables.arrival.refused(key, Reason.CREATION_FAILED));
    }
  }
}
