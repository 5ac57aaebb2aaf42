package io.jgloo.rpc.rref.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** Defects planted into the protocol, each with the invariants that must find it. */
enum Mutant implements Protocol {
  OWNER_ENTRY_AT_A_USER("I1") {
    @Override
    public Step step(RRefState state, Event event) {
      Step step = REAL.step(state, event);
      if (!(event instanceof Event.UserCreated created)) {
        return step;
      }
      RRefId ref = created.root().ref();
      Owned entry = Owned.ABSENT.addHandles(1);
      return new Step(
          States.withOwners(step.state(), step.state().owners().with(ref, entry)), step.effects());
    }
  },
  VALUE_DROPPED_WITH_THE_FIRST_FORK("I2") {
    @Override
    public Step step(RRefState state, Event event) {
      Step step = REAL.step(state, event);
      if (!isMessage(event, Message.UserDelete.class)) {
        return step;
      }
      RRefId ref = ((Message.UserDelete) ((Event.Received) event).message()).fork().ref();
      Owned entry = step.state().owners().get(ref);
      if (entry == null) {
        return step;
      }
      return new Step(
          States.withOwners(step.state(), step.state().owners().without(ref)),
          plus(step.effects(), new Effect.Dropped(ref, entry.outcome())));
    }
  },
  FORK_REQUEST_ANSWERED_BUT_NOT_ENTERED("I2", "I3") {
    @Override
    public Step step(RRefState state, Event event) {
      Step step = REAL.step(state, event);
      return isMessage(event, Message.ForkRequest.class)
          ? new Step(States.withOwners(step.state(), state.owners()), step.effects())
          : step;
    }
  },
  DELETE_OF_A_PENDING_USER("I3") {
    @Override
    public Step step(RRefState state, Event event) {
      return event instanceof Event.UserClosed closed
          ? REAL.step(States.change(state, closed.fork(), User::confirm), event)
          : REAL.step(state, event);
    }
  },
  PARENT_DOES_NOT_WAIT_FOR_ITS_CHILDREN("I3") {
    @Override
    public Step step(RRefState state, Event event) {
      return event instanceof Event.UserClosed closed
          ? REAL.step(States.withoutChildren(state, closed.fork()), event)
          : REAL.step(state, event);
    }
  },
  /** What upstream does: "add the fork if it is absent". */
  DELETED_FORKS_FORGOTTEN("I4") {
    @Override
    public Step step(RRefState state, Event event) {
      Step step = REAL.step(state, event);
      return new Step(States.withoutFinished(step.state()), step.effects());
    }
  },
  COPY_OF_A_CALL_RUNS_AGAIN("I5") {
    @Override
    public Step step(RRefState state, Event event) {
      Step step = REAL.step(state, event);
      if (!isMessage(event, Message.RemoteCall.class) || step.effects().isEmpty()) {
        return step;
      }
      Message.RemoteCall call = (Message.RemoteCall) ((Event.Received) event).message();
      Effect run = new Effect.Run(call.fork().ref());
      return step.effects().contains(run)
          ? step
          : new Step(step.state(), plus(step.effects(), run));
    }
  },
  WRONG_VALUE("I6") {
    @Override
    public Step step(RRefState state, Event event) {
      if (!isMessage(event, Message.FetchReply.class)) {
        return REAL.step(state, event);
      }
      Event.Received received = (Event.Received) event;
      Message.FetchReply reply = (Message.FetchReply) received.message();
      Message old =
          new Message.FetchReply(reply.fork(), reply.ticket(), new Outcome.Value("old value"));
      return REAL.step(state, new Event.Received(received.from(), old));
    }
  },
  ENDED_FETCH_STAYS_OPEN("I6") {
    @Override
    public Step step(RRefState state, Event event) {
      Step step = REAL.step(state, event);
      return isMessage(event, Message.FetchReply.class) ? new Step(state, step.effects()) : step;
    }
  },
  REPLY_TO_A_FETCH_IGNORED("I6", "I7") {
    @Override
    public Step step(RRefState state, Event event) {
      return isMessage(event, Message.FetchReply.class)
          ? new Step(state, List.of())
          : REAL.step(state, event);
    }
  },
  DELETE_NOT_SENT("I7") {
    @Override
    public Step step(RRefState state, Event event) {
      return States.withoutRequests(REAL.step(state, event), Message.UserDelete.class);
    }
  },
  CHILD_NOT_ACCEPTED("I7") {
    @Override
    public Step step(RRefState state, Event event) {
      return States.withoutRequests(REAL.step(state, event), Message.ChildAccept.class);
    }
  },
  WITHDRAWAL_IGNORED("I7") {
    @Override
    public Step step(RRefState state, Event event) {
      return isMessage(event, Message.Withdraw.class)
          ? new Step(state, List.of())
          : REAL.step(state, event);
    }
  },
  FORKS_OF_THE_DEAD_KEPT("I7") {
    @Override
    public Step step(RRefState state, Event event) {
      Step step = REAL.step(state, event);
      return event instanceof Event.PeerLost
          ? new Step(States.withOwners(step.state(), state.owners()), step.effects())
          : step;
    }
  },
  OLD_INCARNATIONS_HEARD("I9") {
    @Override
    public Step step(RRefState state, Event event) {
      Step step = REAL.step(state, event);
      return new Step(States.withoutIncarnations(step.state()), step.effects());
    }
  },
  CALL_RUNS_BEFORE_ITS_ARGUMENTS("I10") {
    @Override
    public Step step(RRefState state, Event event) {
      Step step = REAL.step(state, event);
      if (!(event instanceof Event.Arrived arrived)) {
        return step;
      }
      Effect run = new Effect.Run(arrived.key());
      return step.effects().contains(run)
          ? step
          : new Step(step.state(), plus(step.effects(), run));
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

  private static boolean isMessage(Event event, Class<? extends Message> type) {
    return event instanceof Event.Received received && type.isInstance(received.message());
  }

  private static List<Effect> plus(List<Effect> effects, Effect more) {
    List<Effect> all = new ArrayList<>(effects);
    all.add(more);
    return all;
  }

  /** Tables with one part replaced. */
  private static final class States {

    static RRefState withOwners(RRefState s, PersistentMap<RRefId, Owned> owners) {
      return new RRefState(
          s.self(),
          owners,
          s.users(),
          s.children(),
          s.arrivals(),
          s.outbox(),
          s.finished(),
          s.incarnations());
    }

    static RRefState change(RRefState s, ForkId fork, Function<User, User> change) {
      User user = s.users().get(fork);
      return user == null
          ? s
          : new RRefState(
              s.self(),
              s.owners(),
              s.users().with(fork, change.apply(user)),
              s.children(),
              s.arrivals(),
              s.outbox(),
              s.finished(),
              s.incarnations());
    }

    static RRefState withoutChildren(RRefState state, ForkId parent) {
      RRefState s = change(state, parent, user -> user.addChildren(-user.children()));
      PersistentMap<ForkId, ForkId> kept = s.children();
      for (ForkId child : children(s, parent)) {
        kept = kept.without(child);
      }
      return new RRefState(
          s.self(),
          s.owners(),
          s.users(),
          kept,
          s.arrivals(),
          s.outbox(),
          s.finished(),
          s.incarnations());
    }

    private static List<ForkId> children(RRefState s, ForkId parent) {
      List<ForkId> found = new ArrayList<>();
      s.children()
          .forEach(
              (child, itsParent) -> {
                if (itsParent.equals(parent)) {
                  found.add(child);
                }
              });
      return found;
    }

    static RRefState withoutFinished(RRefState s) {
      return new RRefState(
          s.self(),
          s.owners(),
          s.users(),
          s.children(),
          s.arrivals(),
          s.outbox(),
          PersistentMap.empty(),
          s.incarnations());
    }

    static RRefState withoutIncarnations(RRefState s) {
      return new RRefState(
          s.self(),
          s.owners(),
          s.users(),
          s.children(),
          s.arrivals(),
          s.outbox(),
          s.finished(),
          PersistentMap.empty());
    }

    static Step withoutRequests(Step step, Class<? extends Message.Request> kind) {
      RRefState s = step.state();
      PersistentMap<Message.Key, Message.Request> outbox = s.outbox();
      List<Effect> effects = new ArrayList<>();
      Predicate<Object> lost = kind::isInstance;
      for (Effect effect : step.effects()) {
        if (effect instanceof Effect.Send send && lost.test(send.message())) {
          outbox = outbox.without(((Message.Request) send.message()).key());
        } else {
          effects.add(effect);
        }
      }
      RRefState state =
          new RRefState(
              s.self(),
              s.owners(),
              s.users(),
              s.children(),
              s.arrivals(),
              outbox,
              s.finished(),
              s.incarnations());
      return new Step(state, effects);
    }
  }
}
