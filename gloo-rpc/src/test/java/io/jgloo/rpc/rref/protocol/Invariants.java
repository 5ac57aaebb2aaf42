package io.jgloo.rpc.rref.protocol;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.rref.protocol.Facts.Kind;
import java.util.List;

/**
 * The invariants of the protocol, checked after each step of any agent.
 *
 * <p>I1 one owner entry for each reference; I2 a value is dropped when and only when each fork is
 * deleted; I3 no delete before the fork is confirmed and its children are known; I4 a fork never
 * comes back; I5 a call runs at most once; I6 a fetch ends once, with the right value; I7 at rest
 * all tables are empty; I8 the forks are a tree; I9 an old incarnation changes nothing; I10 a call
 * runs only after the owners of all its references have confirmed them.
 */
final class Invariants {

  /** The whole group after the step. */
  interface Group {

    /** The tables of an incarnation that lives, or null. */
    RRefTables state(AgentId agent);

    Iterable<RRefTables> states();

    /** Whether a call that carries a fork of the reference is on its way. */
    boolean isOnItsWay(RRefId ref);

    /** Whether agents are lost or requests given up, so that forks may be refused. */
    boolean isFaulty();
  }

  private final Group group;
  private final RRefTables before;
  private final Event event;
  private final RRefTables after;
  private final List<Effect> effects;
  private final Facts facts;

  private Invariants(
      Group group,
      Facts facts,
      RRefTables before,
      Event event,
      RRefTables after,
      List<Effect> effects) {
    this.group = group;
    this.facts = facts;
    this.before = before;
    this.event = event;
    this.after = after;
    this.effects = effects;
  }

  /** The value that the function of a reference makes. */
  static Outcome valueOf(RRefId ref) {
    return new Outcome.Value("value of " + ref);
  }

  /** Checks one step, and adds what it does to the facts. */
  static void check(
      Group group,
      Facts facts,
      RRefTables before,
      Event event,
      RRefTables after,
      List<Effect> effects) {
    Invariants check = new Invariants(group, facts, before, event, after, effects);
    check.event();
    check.owners();
    effects.forEach(check::effect);
  }

  /** Checks the group when nothing is left to happen. */
  static void checkRest(Group group, Facts facts) {
    for (RRefTables state : group.states()) {
      require(state.isQuiet(), "I7", "tables are not empty at rest", state);
    }
    for (Object ref : facts.subjects(Kind.CREATED)) {
      boolean lives = group.state(((RRefId) ref).owner()) != null;
      require(!lives || facts.has(Kind.DROPPED, ref), "I2", "never dropped", ref);
    }
    for (Object asked : facts.subjects(Kind.ASKED)) {
      boolean lives = group.state(((Message.Key) asked).fork().holder()) != null;
      require(!lives || facts.has(Kind.DELIVERED, asked), "I6", "never ended", asked);
    }
    for (Object call : facts.subjects(Kind.ARRIVED)) {
      boolean lives = group.state((AgentId) ((List<?>) call).get(0)) != null;
      boolean ended = facts.has(Kind.RAN, call) || facts.has(Kind.REFUSED, call);
      require(!lives || ended, "I5", "never run", call);
    }
  }

  private void event() {
    if (event instanceof Event.Received received) {
      boolean old = facts.has(Kind.LOST, List.of(before.self(), received.from()));
      require(!old || after.equals(before), "I9", "changed by an old incarnation", event);
      received(received.message());
    } else if (event instanceof Event.UserForked forked && !isDenied()) {
      made(forked.parent(), forked.child());
    } else if (event instanceof Event.OwnerForked forked && !isDenied()) {
      made(forked.child().ref().root(), forked.child());
    } else if (event instanceof Event.ForkNotDelivered lost) {
      facts.add(Kind.RETURNED, lost.child());
    } else if (event instanceof Event.FetchAsked asked) {
      facts.add(Kind.ASKED, fetch(asked.fork(), asked.ticket()));
    } else if (event instanceof Event.FetchAbandoned end) {
      facts.add(Kind.DELIVERED, fetch(end.fork(), end.ticket()));
    } else if (event instanceof Event.PeerLost lost) {
      facts.add(Kind.LOST, List.of(before.self(), lost.peer()));
    } else if (event instanceof Event.Arrived arrived) {
      List<Object> call = List.of(before.self(), arrived.key());
      facts.add(Kind.ARRIVED, call, arrived.forks());
      arrived.forks().forEach(this::arrived);
    }
  }

  private boolean isDenied() {
    return effects.stream().anyMatch(Effect.Denied.class::isInstance);
  }

  private static Message.Key fetch(ForkId fork, long ticket) {
    return new Message.Key(Message.Fetch.class, fork, ticket);
  }

  private void made(ForkId parent, ForkId child) {
    boolean attached = parent.isRoot() || facts.has(Kind.MADE, parent);
    require(attached && !parent.equals(child), "I8", "no parent", child);
    require(!facts.has(Kind.MADE, child), "I8", "two parents", child);
    facts.addChild(parent, child);
  }

  private void arrived(ForkId fork) {
    if (fork.owner().equals(before.self())) {
      facts.add(Kind.DELETED, fork);
    } else if (!after.users().containsKey(fork)) {
      facts.add(Kind.BROKEN, fork);
    } else if (fork.creator().equals(fork.owner())) {
      facts.add(Kind.CONFIRMED, fork);
    }
  }

  private void received(Message message) {
    if (message instanceof Message.UserDelete || message instanceof Message.Cancel) {
      ForkId fork = ((Message.Request) message).fork();
      Owned owned = after.owners().get(fork.ref());
      if (owned == null || !owned.forks().contains(fork)) {
        facts.add(Kind.DELETED, fork);
      }
    } else if (message instanceof Message.Withdraw withdraw
        && !before.users().containsKey(withdraw.fork())) {
      facts.add(Kind.BROKEN, withdraw.fork());
    }
  }

  private void owners() {
    before
        .owners()
        .forEach(
            (ref, old) -> {
              Owned now = after.owners().get(ref);
              for (ForkId fork : old.forks()) {
                if (now == null || !now.forks().contains(fork)) {
                  facts.add(Kind.DELETED, fork);
                }
              }
            });
    after
        .owners()
        .forEach(
            (ref, now) -> {
              Owned old = before.owners().get(ref);
              if (!now.equals(old)) {
                owner(ref, old, now);
              }
            });
  }

  private void owner(RRefId ref, Owned old, Owned now) {
    require(ref.owner().equals(before.self()), "I1", "owner entry at a user", ref);
    now.forks().forEach(fork -> require(!facts.has(Kind.DELETED, fork), "I4", "is back", fork));
    boolean real = now.created() && !(now.outcome() instanceof Outcome.Refused);
    if (real && (old == null || !old.created())) {
      require(!facts.has(Kind.CREATED, ref), "I1", "created twice", ref);
      facts.add(Kind.CREATED, ref);
    }
  }

  private void effect(Effect effect) {
    if (effect instanceof Effect.Send send && send.message() instanceof Message.UserDelete delete) {
      deleted(delete.fork());
    } else if (effect instanceof Effect.Dropped dropped) {
      dropped(dropped);
    } else if (effect instanceof Effect.Run run) {
      List<Object> call = List.of(before.self(), run.key());
      require(!facts.has(Kind.RAN, call), "I5", "runs again", call);
      facts.add(Kind.RAN, call);
      Object forks = facts.get(Kind.ARRIVED, call);
      if (forks != null) {
        ((List<?>) forks).forEach(fork -> usable((ForkId) fork));
      }
    } else if (effect instanceof Effect.Refuse refuse) {
      facts.add(Kind.REFUSED, List.of(before.self(), refuse.key()));
    } else if (effect instanceof Effect.Deliver deliver) {
      delivered(deliver);
    } else if (effect instanceof Effect.Confirmed confirmed) {
      facts.add(Kind.CONFIRMED, confirmed.fork());
    } else if (effect instanceof Effect.Failed failed) {
      facts.add(Kind.BROKEN, failed.fork());
    }
  }

  private void deleted(ForkId fork) {
    boolean settled =
        settledNow(fork) || facts.has(Kind.CONFIRMED, fork) || facts.has(Kind.BROKEN, fork);
    require(settled, "I3", "deleted while pending", fork);
    RRefTables owner = group.state(fork.owner());
    if (owner == null || group.isFaulty()) {
      return;
    }
    Owned owned = owner.owners().get(fork.ref());
    for (Object child : facts.children(fork)) {
      boolean known =
          (owned != null && owned.forks().contains((ForkId) child))
              || facts.has(Kind.DELETED, child)
              || facts.has(Kind.BROKEN, child)
              || facts.has(Kind.RETURNED, child);
      require(known, "I3", "deleted before the owner knows its child", child);
    }
  }

  /** Whether this step confirms the fork or makes it unusable. */
  private boolean settledNow(ForkId fork) {
    return effects.contains(new Effect.Confirmed(fork))
        || effects.stream()
            .anyMatch(effect -> effect instanceof Effect.Failed f && f.fork().equals(fork));
  }

  private void dropped(Effect.Dropped dropped) {
    RRefId ref = dropped.ref();
    if (dropped.outcome() instanceof Outcome.Refused) {
      facts.add(Kind.DROPPED, ref);
      return;
    }
    require(!facts.has(Kind.DROPPED, ref), "I2", "dropped twice", ref);
    facts.add(Kind.DROPPED, ref);
    require(group.isFaulty() || !group.isOnItsWay(ref), "I2", "dropped, but on its way", ref);
    for (RRefTables state : group.states()) {
      boolean fenced = after.isFenced(state.self());
      state
          .users()
          .forEach(
              (fork, user) -> {
                boolean counts =
                    user.status() == User.Status.CONFIRMED
                        || (user.status() == User.Status.PENDING && !group.isFaulty());
                boolean live = fork.ref().equals(ref) && counts && !fenced;
                require(!live, "I2", "dropped while in use", fork);
              });
    }
  }

  private void usable(ForkId fork) {
    boolean usable =
        fork.owner().equals(before.self())
            ? facts.has(Kind.CREATED, fork.ref())
            : settledNow(fork) || facts.has(Kind.CONFIRMED, fork);
    require(usable, "I10", "a call runs before its argument is confirmed", fork);
  }

  private void delivered(Effect.Deliver deliver) {
    Message.Key fetch = fetch(deliver.fork(), deliver.ticket());
    require(!facts.has(Kind.DELIVERED, fetch), "I6", "ended twice", fetch);
    facts.add(Kind.DELIVERED, fetch, deliver.outcome());
    boolean right =
        deliver.outcome() instanceof Outcome.Refused
            ? group.isFaulty()
            : deliver.outcome().equals(valueOf(deliver.fork().ref()));
    require(right, "I6", "wrong outcome", deliver);
  }

  private static void require(boolean condition, String invariant, String what, Object subject) {
    if (!condition) {
      throw new InvariantBrokenError(invariant, what + ": " + subject);
    }
  }
}
