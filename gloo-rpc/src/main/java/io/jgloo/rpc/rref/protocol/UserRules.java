package io.jgloo.rpc.rref.protocol;

import io.jgloo.rpc.agent.AgentId;

/**
 * The rules of a user.
 *
 * <p>A fork is deleted at its owner (G1) when its handle is closed, the owner has confirmed it, its
 * fetches are answered, and each child made from it was accepted (G2).
 */
final class UserRules {

  private final RRefTables tables;

  UserRules(RRefTables tables) {
    this.tables = tables;
  }

  /** Stores the entry, or deletes the fork if nothing keeps it any more. */
  private void put(ForkId fork, User user) {
    if (!user.isUnused() || user.status() == User.Status.PENDING) {
      tables.users.put(fork, user);
      return;
    }
    tables.users.remove(fork);
    if (user.status() != User.Status.REFUSED) {
      tables.request(new Message.UserDelete(fork));
    }
  }

  // What the application does.

  void created(Event.UserCreated event) {
    tables.users.put(event.root(), User.pending(null));
    if (tables.isFenced(event.root().owner())) {
      fail(event.root(), User.Status.REFUSED, Reason.OWNER_LOST);
    } else {
      tables.request(new Message.RemoteCall(event.root(), event.arguments()));
    }
  }

  void closed(ForkId fork) {
    User user = tables.users.get(fork);
    if (user != null) {
      put(fork, user.close());
    }
  }

  void forked(Event.UserForked event) {
    User user = tables.users.get(event.parent());
    if (user == null || !user.open()) {
      tables.emit(new Effect.Denied(event.child(), Reason.CLOSED));
    } else if (!user.isUsable()) {
      tables.emit(new Effect.Denied(event.child(), user.reason()));
    } else if (!tables.isFenced(event.child().holder())) {
      tables.children.put(event.child(), event.parent());
      put(event.parent(), user.addChildren(1));
    }
  }

  void fetchAsked(Event.FetchAsked event) {
    ForkId fork = event.fork();
    User user = tables.users.get(fork);
    if (user == null || !user.open()) {
      deliver(fork, event.ticket(), new Outcome.Refused(Reason.CLOSED));
    } else if (!user.isUsable()) {
      deliver(fork, event.ticket(), new Outcome.Refused(user.reason()));
    } else {
      put(fork, user.ask(event.ticket()));
      tables.request(new Message.Fetch(fork, event.ticket()));
    }
  }

  /** Ends a fetch; without an outcome the caller no longer waits for it. */
  void fetchEnded(ForkId fork, long ticket, Outcome outcome) {
    if (tables.answered(Message.Fetch.class, fork, ticket) == null) {
      return;
    }
    if (outcome != null) {
      deliver(fork, ticket, outcome);
    }
    put(fork, tables.users.get(fork).answered(ticket));
  }

  private void deliver(ForkId fork, long ticket, Outcome outcome) {
    tables.emit(new Effect.Deliver(fork, ticket, outcome));
  }

  // What owners and children answer.

  void userAccept(AgentId from, Message.UserAccept message) {
    if (!message.fork().owner().equals(from)) {
      tables.reject(from, message, "not from the owner");
    } else if (tables.answered(Message.RemoteCall.class, message.fork(), 0) != null) {
      confirm(message.fork());
    }
  }

  void forkReply(AgentId from, Message.ForkReply message) {
    ForkId fork = message.fork();
    if (!fork.owner().equals(from)) {
      tables.reject(from, message, "not from the owner");
    } else if (tables.answered(Message.ForkRequest.class, fork, 0) != null) {
      if (message.refused() == null) {
        confirm(fork);
      } else {
        fail(fork, User.Status.REFUSED, message.refused());
      }
      tables.request(new Message.ChildAccept(fork));
    }
  }

  void fetchReply(AgentId from, Message.FetchReply message) {
    if (message.fork().owner().equals(from)) {
      fetchEnded(message.fork(), message.ticket(), message.outcome());
    } else {
      tables.reject(from, message, "not from the owner");
    }
  }

  void childAccept(AgentId from, Message.ChildAccept message) {
    if (message.fork().holder().equals(from)) {
      release(message.fork());
    } else {
      tables.reject(from, message, "not from the holder of the fork");
    }
  }

  /** Takes the pin of a child off its parent; a child that is not pinned is ignored. */
  void release(ForkId child) {
    ForkId parent = tables.children.get(child);
    if (parent != null) {
      tables.children.remove(child);
      put(parent, tables.users.get(parent).addChildren(-1));
    }
  }

  void notDelivered(ForkId child) {
    if (tables.children.containsKey(child)) {
      release(child);
      tables.request(new Message.Cancel(child));
    }
  }

  private void confirm(ForkId fork) {
    User user = tables.users.get(fork);
    put(fork, user.confirm());
    tables.emit(new Effect.Confirmed(fork));
    if (user.arrival() != null) {
      tables.arrival.confirmed(user.arrival());
    }
  }

  /** Makes a fork unusable. Its entry stays until its handle is closed. */
  void fail(ForkId fork, User.Status how, Reason reason) {
    User user = tables.users.get(fork);
    for (long ticket : user.tickets()) {
      tables.answered(Message.Fetch.class, fork, ticket);
      deliver(fork, ticket, new Outcome.Refused(reason));
    }
    put(fork, user.end(how, reason));
    tables.emit(new Effect.Failed(fork, reason));
    if (user.arrival() != null) {
      tables.arrival.refused(user.arrival(), reason);
    }
  }
}
