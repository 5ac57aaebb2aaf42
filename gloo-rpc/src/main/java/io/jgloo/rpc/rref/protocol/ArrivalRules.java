package io.jgloo.rpc.rref.protocol;

import io.jgloo.rpc.agent.AgentId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The rules of an agent for references that arrive in a call or result: it runs or delivers that
 * only when the owner of each has confirmed it.
 */
final class ArrivalRules {

  private final RRefTables tables;

  ArrivalRules(RRefTables tables) {
    this.tables = tables;
  }

  void arrived(Event.Arrived event) {
    Set<ForkId> distinct = new HashSet<>();
    for (ForkId fork : event.forks()) {
      String wrong = wrong(event.from(), fork);
      if (wrong == null && (tables.users.containsKey(fork) || !distinct.add(fork))) {
        wrong = "the fork has arrived before";
      }
      if (wrong != null) {
        tables.reject(event.from(), event, wrong + ": " + fork);
        tables.emit(new Effect.Refuse(event.key(), Reason.DELETED));
        return;
      }
    }
    int waiting = 0;
    Reason refused = null;
    List<ForkId> entered = new ArrayList<>();
    for (ForkId fork : event.forks()) {
      Reason reason = reasonAgainst(fork);
      if (reason != null) {
        refused = reason;
        discard(fork);
        continue;
      }
      entered.add(fork);
      waiting += enter(event.key(), fork) ? 0 : 1;
    }
    tables.arrivals.put(event.key(), new Arrival(waiting + 1, entered));
    if (refused == null) {
      confirmed(event.key());
    } else {
      refused(event.key(), refused);
    }
  }

  private String wrong(AgentId from, ForkId fork) {
    boolean right = fork.creator().equals(from) && fork.holder().equals(tables.self);
    return right ? null : "not a fork made by the sender for this agent";
  }

  private Reason reasonAgainst(ForkId fork) {
    if (tables.isFenced(fork.owner())) {
      return Reason.OWNER_LOST;
    }
    if (tables.isFinished(fork)) {
      return Reason.DELETED;
    }
    boolean mine = fork.owner().equals(tables.self);
    return mine && tables.owner.isDead(fork.ref()) ? Reason.CREATION_FAILED : null;
  }

  /** Enters a fork; returns whether it needs no confirmation. */
  private boolean enter(Object key, ForkId fork) {
    if (fork.owner().equals(tables.self)) {
      return tables.owner.arrived(key, fork);
    }
    boolean known = fork.creator().equals(fork.owner());
    tables.users.put(fork, known ? User.confirmed() : User.pending(key));
    if (!known) {
      tables.request(new Message.ForkRequest(fork));
    }
    return known;
  }

  /** Ends a fork that is not used here and never will be. */
  private void discard(ForkId fork) {
    if (fork.owner().equals(tables.self)) {
      tables.owner.delete(fork);
    } else {
      tables.finish(fork);
      tables.request(new Message.UserDelete(fork));
    }
    if (!fork.creator().equals(fork.owner())) {
      tables.request(new Message.ChildAccept(fork));
    }
  }

  /** The creator does not know whether the fork has arrived: if it has not, it never will. */
  void withdraw(AgentId from, Message.Withdraw message) {
    ForkId fork = message.fork();
    String wrong = wrong(from, fork);
    if (wrong != null) {
      tables.reject(from, message, wrong);
    } else if (!tables.users.containsKey(fork) && !tables.isFinished(fork)) {
      discard(fork);
    }
  }

  /** One reference more is confirmed. */
  void confirmed(Object key) {
    Arrival arrival = tables.arrivals.get(key);
    if (arrival == null) {
      return;
    }
    if (arrival.waiting() > 1) {
      tables.arrivals.put(key, new Arrival(arrival.waiting() - 1, arrival.forks()));
    } else {
      tables.arrivals.remove(key);
      tables.emit(new Effect.Run(key));
    }
  }

  /** A reference cannot be used: closes all of the call or result. */
  void refused(Object key, Reason reason) {
    Arrival arrival = tables.arrivals.get(key);
    if (arrival == null) {
      return;
    }
    tables.arrivals.remove(key);
    tables.emit(new Effect.Refuse(key, reason));
    for (ForkId fork : arrival.forks()) {
      if (fork.owner().equals(tables.self)) {
        tables.owner.handles(fork.ref(), -1);
      } else {
        tables.user.closed(fork);
      }
    }
  }
}
