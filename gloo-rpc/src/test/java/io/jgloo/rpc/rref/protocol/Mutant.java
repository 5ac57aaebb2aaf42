package io.jgloo.rpc.rref.protocol;

import java.util.List;
import java.util.Map;

/** Defects planted into the protocol, each with the invariants that must find it. */
enum Mutant implements Protocol {
  OWNER_ENTRY_AT_A_USER("I1") {
    @Override
    public List<Effect> apply(RRefTables tables, Event event) {
      List<Effect> effects = REAL.apply(tables, event);
      if (event instanceof Event.UserCreated created) {
        Owned entry = new Owned();
        entry.addHandles(1);
        tables.owners.put(created.root().ref(), entry);
      }
      return effects;
    }
  },
  VALUE_DROPPED_WITH_THE_FIRST_FORK("I2") {
    @Override
    public List<Effect> apply(RRefTables tables, Event event) {
      List<Effect> effects = REAL.apply(tables, event);
      if (message(event) instanceof Message.UserDelete delete) {
        RRefId ref = delete.fork().ref();
        Owned entry = tables.owners.remove(ref);
        if (entry != null) {
          effects.add(new Effect.Dropped(ref, entry.outcome()));
        }
      }
      return effects;
    }
  },
  FORK_REQUEST_ANSWERED_BUT_NOT_ENTERED("I2", "I3") {
    @Override
    public List<Effect> apply(RRefTables tables, Event event) {
      return withOldOwners(tables, event, message(event) instanceof Message.ForkRequest);
    }
  },
  DELETE_OF_A_PENDING_USER("I3") {
    @Override
    public List<Effect> apply(RRefTables tables, Event event) {
      if (event instanceof Event.UserClosed closed) {
        tables.users.computeIfPresent(closed.fork(), (fork, user) -> user.confirm());
      }
      return REAL.apply(tables, event);
    }
  },
  PARENT_DOES_NOT_WAIT_FOR_ITS_CHILDREN("I3") {
    @Override
    public List<Effect> apply(RRefTables tables, Event event) {
      if (event instanceof Event.UserClosed closed) {
        tables.users.computeIfPresent(
            closed.fork(), (fork, user) -> user.addChildren(-user.children()));
        tables.children.values().removeIf(closed.fork()::equals);
      }
      return REAL.apply(tables, event);
    }
  },
  /** What upstream does: "add the fork if it is absent". */
  DELETED_FORKS_FORGOTTEN("I4") {
    @Override
    public List<Effect> apply(RRefTables tables, Event event) {
      return without(tables.finished, REAL.apply(tables, event));
    }
  },
  COPY_OF_A_CALL_RUNS_AGAIN("I5") {
    @Override
    public List<Effect> apply(RRefTables tables, Event event) {
      List<Effect> effects = REAL.apply(tables, event);
      return message(event) instanceof Message.RemoteCall call && !effects.isEmpty()
          ? plusRun(effects, call.fork().ref())
          : effects;
    }
  },
  WRONG_VALUE("I6") {
    @Override
    public List<Effect> apply(RRefTables tables, Event event) {
      if (message(event) instanceof Message.FetchReply reply) {
        Message old =
            new Message.FetchReply(reply.fork(), reply.ticket(), new Outcome.Value("old value"));
        return REAL.apply(tables, new Event.Received(((Event.Received) event).from(), old));
      }
      return REAL.apply(tables, event);
    }
  },
  ENDED_FETCH_STAYS_OPEN("I6") {
    @Override
    public List<Effect> apply(RRefTables tables, Event event) {
      return REAL.apply(
          message(event) instanceof Message.FetchReply ? tables.copy() : tables, event);
    }
  },
  REPLY_TO_A_FETCH_IGNORED("I6", "I7") {
    @Override
    public List<Effect> apply(RRefTables tables, Event event) {
      return message(event) instanceof Message.FetchReply ? List.of() : REAL.apply(tables, event);
    }
  },
  DELETE_NOT_SENT("I7") {
    @Override
    public List<Effect> apply(RRefTables tables, Event event) {
      return withoutRequests(tables, event, Message.UserDelete.class);
    }
  },
  CHILD_NOT_ACCEPTED("I7") {
    @Override
    public List<Effect> apply(RRefTables tables, Event event) {
      return withoutRequests(tables, event, Message.ChildAccept.class);
    }
  },
  WITHDRAWAL_IGNORED("I7") {
    @Override
    public List<Effect> apply(RRefTables tables, Event event) {
      return message(event) instanceof Message.Withdraw ? List.of() : REAL.apply(tables, event);
    }
  },
  FORKS_OF_THE_DEAD_KEPT("I7") {
    @Override
    public List<Effect> apply(RRefTables tables, Event event) {
      return withOldOwners(tables, event, event instanceof Event.PeerLost);
    }
  },
  OLD_INCARNATIONS_HEARD("I9") {
    @Override
    public List<Effect> apply(RRefTables tables, Event event) {
      return without(tables.incarnations, REAL.apply(tables, event));
    }
  },
  CALL_RUNS_BEFORE_ITS_ARGUMENTS("I10") {
    @Override
    public List<Effect> apply(RRefTables tables, Event event) {
      List<Effect> effects = REAL.apply(tables, event);
      return event instanceof Event.Arrived arrived ? plusRun(effects, arrived.key()) : effects;
    }
  };

  private final String invariants;

  Mutant(String... invariants) {
    this.invariants = String.join(" ", invariants);
  }

  /** The invariants of which the first one broken must be one. */
  List<String> invariants() {
    return List.of(invariants.split(" "));
  }

  private static Message message(Event event) {
    return event instanceof Event.Received received ? received.message() : null;
  }

  private static List<Effect> plusRun(List<Effect> effects, Object key) {
    Effect run = new Effect.Run(key);
    if (!effects.contains(run)) {
      effects.add(run);
    }
    return effects;
  }

  private static List<Effect> without(Map<?, ?> table, List<Effect> effects) {
    table.clear();
    return effects;
  }

  private static List<Effect> withOldOwners(RRefTables tables, Event event, boolean defective) {
    Map<RRefId, Owned> old = tables.copy().owners;
    List<Effect> effects = REAL.apply(tables, event);
    if (defective) {
      tables.owners.clear();
      tables.owners.putAll(old);
    }
    return effects;
  }

  private static List<Effect> withoutRequests(
      RRefTables tables, Event event, Class<? extends Message.Request> kind) {
    List<Effect> effects = REAL.apply(tables, event);
    for (Effect effect : List.copyOf(effects)) {
      if (effect instanceof Effect.Send send && kind.isInstance(send.message())) {
        tables.outbox.remove(((Message.Request) send.message()).key());
        effects.remove(effect);
      }
    }
    return effects;
  }
}
