package io.jgloo.rpc.rref.protocol;

import static io.jgloo.rpc.rref.protocol.World.agent;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.rref.protocol.Scenario.Action;
import java.util.List;

/**
 * The four scenarios of the protocol, and the chain of three.
 *
 * <p>A is the agent of rank 0, B the owner of rank 1, C and D the agents of rank 2 and 3.
 */
final class Scenarios {

  static final int A = 0;
  static final int B = 1;
  static final int C = 2;
  static final int D = 3;

  /** Made by A at B. */
  static final RRefId REF = new RRefId(agent(B), agent(A), 0);

  static final ForkId ROOT = REF.root();

  /** Made by B itself. */
  static final RRefId OWN = new RRefId(agent(B), agent(B), 0);

  /** Made by A at C. */
  static final RRefId SECOND = new RRefId(agent(C), agent(A), 0);

  /** What the call that makes {@link #SECOND} carries. */
  static final ForkId ARGUMENT = fork(REF, A, C, 0);

  private Scenarios() {}

  static ForkId fork(RRefId ref, int creator, int holder, long number) {
    return new ForkId(ref, agent(creator), agent(holder), number);
  }

  /** A shares with the owner by the result of its call. */
  static Scenario s1() {
    return new Scenario("S1", Scenarios::remote, List.of(valueSet(REF), fetch(ROOT), close(ROOT)));
  }

  /** A shares with the owner by an argument. */
  static Scenario s2() {
    ForkId child = fork(REF, A, B, 0);
    return new Scenario(
        "S2",
        Scenarios::remote,
        List.of(valueSet(REF), fetch(ROOT), close(ROOT), call(ROOT, child), closeAtOwner(child)));
  }

  /** The owner shares with C. */
  static Scenario s3() {
    ForkId child = fork(OWN, B, C, 0);
    return new Scenario(
        "S3",
        protocol ->
            World.of(protocol, 3).apply(B, new Event.OwnerCreated(OWN, Invariants.valueOf(OWN))),
        List.of(
            new Action(
                "B calls C with the reference",
                world -> !world.isDone(1),
                world ->
                    world.apply(B, new Event.OwnerForked(child)).call(B, C, key(child), child)),
            new Action(
                "B closes", world -> true, world -> world.apply(B, new Event.OwnerClosed(OWN))),
            fetch(child),
            close(child)));
  }

  /** A shares with C, which is not the owner. */
  static Scenario s4() {
    ForkId child = fork(REF, A, C, 0);
    return new Scenario(
        "S4",
        Scenarios::remote,
        List.of(
            valueSet(REF),
            fetch(ROOT),
            close(ROOT),
            call(ROOT, child),
            fetch(child),
            close(child)));
  }

  /** A shares with C, C with D; nobody but D fetches. */
  static Scenario chain() {
    ForkId child = fork(REF, A, C, 0);
    ForkId grandchild = fork(REF, C, D, 0);
    return new Scenario(
        "chain",
        protocol -> remote(protocol, 4),
        List.of(
            valueSet(REF),
            close(ROOT),
            call(ROOT, child),
            call(child, grandchild),
            close(child),
            fetch(grandchild),
            close(grandchild)));
  }

  /** A makes a second value at C, by a function that takes the first reference. */
  static Scenario argument() {
    return new Scenario(
        "argument",
        Scenarios::remote,
        List.of(
            valueSet(REF),
            new Action(
                "r2 = remote(C, f, r)",
                world -> world.isOpen(ROOT),
                world ->
                    world
                        .apply(A, new Event.UserForked(ROOT, ARGUMENT))
                        .apply(A, new Event.UserCreated(SECOND.root(), List.of(ARGUMENT)))),
            close(ROOT),
            valueSet(SECOND),
            new Action(
                "f ends",
                world -> world.isOpen(ARGUMENT) && world.hasRun(C, SECOND),
                world -> world.apply(C, new Event.UserClosed(ARGUMENT))),
            close(SECOND.root())));
  }

  private static World remote(Protocol protocol) {
    return remote(protocol, 3);
  }

  private static World remote(Protocol protocol, int size) {
    return World.of(protocol, size).apply(A, new Event.UserCreated(ROOT, List.of()));
  }

  private static Action valueSet(RRefId ref) {
    return new Action(
        "the function ends",
        world -> world.hasRun(ref.owner().rank(), ref),
        world -> world.apply(ref.owner().rank(), new Event.ValueSet(ref, Invariants.valueOf(ref))));
  }

  private static Action fetch(ForkId fork) {
    return new Action(
        "fetch by " + fork,
        world -> world.isOpen(fork),
        world -> world.apply(fork.holder().rank(), new Event.FetchAsked(fork, 1)));
  }

  private static Action close(ForkId fork) {
    return new Action(
        "close " + fork,
        world ->
            world.isOpen(fork) && (fork.isRoot() || world.hasRun(rank(fork.holder()), key(fork))),
        world -> world.apply(fork.holder().rank(), new Event.UserClosed(fork)));
  }

  private static int rank(AgentId agent) {
    return agent.rank();
  }

  static Object key(ForkId child) {
    return "g" + child.creator().rank();
  }

  /** The holder of a fork passes it on as the argument of a call. */
  private static Action call(ForkId parent, ForkId child) {
    int from = parent.holder().rank();
    return new Action(
        "call with " + child,
        world -> world.isOpen(parent),
        world ->
            world
                .apply(from, new Event.UserForked(parent, child))
                .call(from, child.holder().rank(), key(child), child));
  }

  /** The body at the owner ends and drops its argument. */
  private static Action closeAtOwner(ForkId child) {
    int owner = child.owner().rank();
    return new Action(
        "the body at the owner ends",
        world -> world.hasRun(owner, key(child)),
        world -> world.apply(owner, new Event.OwnerClosed(child.ref())));
  }

  // What may go wrong.

  /** A creation is refused, or its outcome is unknown. */
  static Action giveUp(int rank, ForkId root) {
    Message.Key key = new Message.Key(Message.RemoteCall.class, root, 0);
    return new Action(
        "give up " + key,
        world -> !world.isDead(rank) && world.state(agent(rank)).outbox().containsKey(key),
        world -> world.withFault().apply(rank, new Event.CreationFailed(root)));
  }

  /** A call is lost, and its sender knows that. */
  static Action lose(ForkId child) {
    int from = child.creator().rank();
    int to = child.holder().rank();
    return new Action(
        "lose call with " + child,
        world -> world.isCalling(from, to, key(child), child),
        world ->
            world.lose(from, to, key(child), child).apply(from, new Event.ForkNotDelivered(child)));
  }

  /** The sender of a call no longer knows what became of it: it may be lost or still arrive. */
  static Action doubt(ForkId child, boolean lost) {
    int from = child.creator().rank();
    int to = child.holder().rank();
    return new Action(
        (lost ? "lose and doubt call with " : "doubt call with ") + child,
        world -> world.isCalling(from, to, key(child), child),
        world ->
            (lost ? world.lose(from, to, key(child), child) : world)
                .withFault()
                .apply(from, new Event.ForkUnknown(child)));
  }

  /** An agent dies, and the others learn of it, each at its own time. */
  static Action[] death(int rank, int... others) {
    Action[] actions = new Action[others.length + 1];
    actions[0] = new Action("death of " + rank, world -> true, world -> world.kill(rank));
    for (int i = 0; i < others.length; i++) {
      int other = others[i];
      actions[i + 1] =
          new Action(
              other + " learns of the death of " + rank,
              world -> world.isDead(rank) && !world.isDead(other),
              world -> world.apply(other, new Event.PeerLost(agent(rank))));
    }
    return actions;
  }

  /** An agent takes another for lost that lives. */
  static Action fence(int rank, int other) {
    return new Action(
        rank + " fences " + other,
        world -> true,
        world -> world.withFault().apply(rank, new Event.PeerLost(agent(other))));
  }
}
