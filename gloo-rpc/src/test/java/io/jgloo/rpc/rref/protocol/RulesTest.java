package io.jgloo.rpc.rref.protocol;

import static io.jgloo.rpc.rref.protocol.Scenarios.A;
import static io.jgloo.rpc.rref.protocol.Scenarios.B;
import static io.jgloo.rpc.rref.protocol.Scenarios.C;
import static io.jgloo.rpc.rref.protocol.Scenarios.D;
import static io.jgloo.rpc.rref.protocol.Scenarios.REF;
import static io.jgloo.rpc.rref.protocol.Scenarios.ROOT;
import static io.jgloo.rpc.rref.protocol.Scenarios.fork;
import static io.jgloo.rpc.rref.protocol.World.agent;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Single rules of the protocol, each with the messages in one particular order. */
@Timeout(60)
final class RulesTest {

  private static final Event CREATE = new Event.UserCreated(ROOT, List.of());
  private static final Event VALUE = new Event.ValueSet(REF, Invariants.valueOf(REF));
  private static final Message REMOTE_CALL = new Message.RemoteCall(ROOT, List.of());
  private static final ForkId Y = fork(REF, A, C, 0);
  private static final ForkId Z = fork(REF, C, D, 0);

  /** One agent, and what its last step did. */
  private static final class Agent {
    final RRefTables state;
    List<Effect> effects = List.of();

    Agent(int rank) {
      state = new RRefTables(agent(rank));
    }

    Agent apply(Event event) {
      effects = state.apply(event);
      return this;
    }

    Agent receive(int from, Message message) {
      return apply(new Event.Received(agent(from), message));
    }
  }

  private static Effect sent(int to, Message message) {
    return new Effect.Send(agent(to), message);
  }

  private static Agent ownerWithValue() {
    return new Agent(B).receive(A, REMOTE_CALL).apply(VALUE);
  }

  @Test
  void rr04_fetchBeforeRemoteCall_isParkedThenAnswered() {
    Agent owner = new Agent(B).receive(A, new Message.Fetch(ROOT, 7));
    assertEquals(List.of(), owner.effects);
    owner.receive(A, REMOTE_CALL).apply(VALUE);
    Message reply = new Message.FetchReply(ROOT, 7, Invariants.valueOf(REF));
    assertEquals(List.of(sent(A, reply)), owner.effects);
  }

  @Test
  void rr05_deleteOfGrandchildBeforeOwnerKnowsChild_keepsTheValue() {
    Agent owner = ownerWithValue();
    owner.receive(D, new Message.ForkRequest(Z));
    owner.receive(D, new Message.UserDelete(Z));
    assertTrue(owner.state.owners().containsKey(REF), "A still holds it");
    owner.receive(C, new Message.ForkRequest(Y));
    owner.receive(A, new Message.UserDelete(ROOT));
    owner.receive(C, new Message.UserDelete(Y));
    assertEquals(
        List.of(new Effect.Dropped(REF, Invariants.valueOf(REF))), owner.effects, "all deleted");
  }

  @Test
  void rr06_lateCopies_bringNothingBack() {
    Agent owner = ownerWithValue();
    owner.receive(C, new Message.ForkRequest(Y));
    owner.receive(C, new Message.UserDelete(Y));
    owner.receive(A, new Message.UserDelete(ROOT));
    assertTrue(owner.state.isQuiet(), "dropped");
    owner.receive(A, REMOTE_CALL);
    assertEquals(List.of(), owner.effects, "must not run again");
    owner.receive(C, new Message.ForkRequest(Y));
    assertEquals(List.of(sent(C, new Message.ForkReply(Y, Reason.DELETED))), owner.effects);
    owner.receive(A, new Message.Fetch(ROOT, 1));
    assertTrue(owner.state.isQuiet(), "no late message may leave an entry");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void rr07_eachRequestLostAtFirst_succeedsWhenRepeated(int losses) {
    Trace trace = new Trace(3, losses);
    TraceTest.s4(trace);
    for (int rank = A; rank <= C; rank++) {
      assertTrue(trace.state(rank).isQuiet(), "tables of " + rank + " are not empty");
    }
  }

  @Test
  void rr08_deleteToALostOwner_isForgotten() {
    Agent user = new Agent(A).apply(CREATE).receive(B, new Message.UserAccept(ROOT));
    user.apply(new Event.UserClosed(ROOT));
    assertFalse(user.state.isQuiet(), "the delete is not acknowledged");
    user.apply(new Event.PeerLost(agent(B)));
    assertTrue(user.state.isQuiet(), "a shutdown would wait for it");
  }

  @Test
  void rr10_remoteCallLost_failsFetchesAndForks() {
    Agent user = new Agent(A).apply(CREATE).apply(new Event.FetchAsked(ROOT, 1));
    user.apply(new Event.CreationFailed(ROOT));
    Outcome failed = new Outcome.Refused(Reason.CREATION_FAILED);
    assertTrue(user.effects.contains(new Effect.Deliver(ROOT, 1, failed)), "earlier fetch");
    user.apply(new Event.FetchAsked(ROOT, 2));
    assertEquals(List.of(new Effect.Deliver(ROOT, 2, failed)), user.effects, "later fetch");
    user.apply(new Event.UserForked(ROOT, Y));
    assertEquals(List.of(new Effect.Denied(Y, Reason.CREATION_FAILED)), user.effects);
  }

  @Test
  void rr11_creationGivenUpButRunAtOwner_isDeletedLate() {
    Agent user = new Agent(A).apply(CREATE);
    Agent owner = ownerWithValue();
    user.apply(new Event.CreationFailed(ROOT));
    user.receive(B, new Message.UserAccept(ROOT));
    assertFalse(user.state.users().get(ROOT).isUsable(), "late accept");
    user.apply(new Event.UserClosed(ROOT));
    assertEquals(List.of(sent(B, new Message.UserDelete(ROOT))), user.effects);
    owner.receive(A, new Message.UserDelete(ROOT));
    assertTrue(owner.state.isQuiet(), "dropped");
  }

  @Test
  void rr11_creationGivenUpAndDeletedBeforeItArrives_neverRuns() {
    Agent owner = new Agent(B).receive(A, new Message.UserDelete(ROOT)).receive(A, REMOTE_CALL);
    assertEquals(List.of(), owner.effects);
    assertTrue(owner.state.isQuiet(), "nothing created");
  }

  @Test
  void callAtTheOwnerWithAReferenceWhoseCreationFailed_isRefused() {
    Agent owner = new Agent(B).receive(A, new Message.Fetch(ROOT, 1));
    ForkId known = fork(REF, A, C, 0);
    owner.receive(C, new Message.ForkRequest(known));
    owner.receive(A, new Message.UserDelete(ROOT));
    owner.apply(new Event.Arrived(agent(A), "g", List.of(fork(REF, A, B, 0))));
    assertEquals(new Effect.Refuse("g", Reason.CREATION_FAILED), owner.effects.get(1));
    owner.receive(C, new Message.ForkRequest(known));
    assertEquals(
        List.of(sent(C, new Message.ForkReply(known, null))),
        owner.effects,
        "a copy of a request gets the same answer");
    owner.receive(C, new Message.UserDelete(known));
    assertTrue(owner.state.owners().isEmpty(), "dropped");
  }

  @Test
  void rr12_fetchAfterAnAbandonedFetch_getsTheValue() {
    Agent user = new Agent(A).apply(CREATE).receive(B, new Message.UserAccept(ROOT));
    user.apply(new Event.FetchAsked(ROOT, 1)).apply(new Event.FetchAbandoned(ROOT, 1));
    user.apply(new Event.FetchAsked(ROOT, 2));
    user.receive(B, new Message.FetchReply(ROOT, 1, Invariants.valueOf(REF)));
    assertEquals(List.of(), user.effects, "reply to the abandoned fetch");
    user.receive(B, new Message.FetchReply(ROOT, 2, Invariants.valueOf(REF)));
    assertEquals(List.of(new Effect.Deliver(ROOT, 2, Invariants.valueOf(REF))), user.effects);
  }

  @Test
  void rr13_functionThatThrows_isAnsweredToEachFork() {
    Outcome thrown = new Outcome.Thrown("no such key");
    Agent owner = new Agent(B).receive(A, REMOTE_CALL);
    owner.receive(C, new Message.ForkRequest(Y)).receive(C, new Message.Fetch(Y, 1));
    owner.apply(new Event.ValueSet(REF, thrown));
    assertEquals(List.of(sent(C, new Message.FetchReply(Y, 1, thrown))), owner.effects);
    owner.receive(A, new Message.Fetch(ROOT, 1));
    assertEquals(List.of(sent(A, new Message.FetchReply(ROOT, 1, thrown))), owner.effects);
  }

  @Test
  void rr14_ownerPassesToItself_needsNoMessage() {
    RRefId own = Scenarios.OWN;
    ForkId toSelf = fork(own, B, B, 1);
    Agent owner = new Agent(B).apply(new Event.OwnerCreated(own, Invariants.valueOf(own)));
    owner.apply(new Event.OwnerForked(toSelf));
    owner.apply(new Event.Arrived(agent(B), "g", List.of(toSelf)));
    assertEquals(List.of(new Effect.Run("g")), owner.effects);
    owner.apply(new Event.OwnerClosed(own)).apply(new Event.OwnerClosed(own));
    assertTrue(owner.state.isQuiet(), "dropped");
  }

  @Test
  void rr25_forgedIds_changeNothing() {
    Agent owner = ownerWithValue().receive(C, new Message.ForkRequest(Y));
    RRefId elsewhere = new RRefId(agent(D), agent(A), 0);
    List<Message> forged =
        List.of(
            new Message.ForkRequest(Y),
            new Message.UserDelete(Y),
            new Message.UserDelete(ROOT),
            new Message.Fetch(Y, 1),
            REMOTE_CALL,
            new Message.RemoteCall(Y, List.of()),
            new Message.Cancel(Y),
            new Message.ChildAccept(Y),
            new Message.UserAccept(ROOT),
            new Message.ForkReply(Y, null),
            new Message.FetchReply(Y, 1, Invariants.valueOf(REF)),
            new Message.Withdraw(Y),
            new Message.UserDelete(new ForkId(elsewhere, agent(A), agent(D), 0)));
    for (Message message : forged) {
      RRefTables before = owner.state.copy();
      before.apply(new Event.PeerSeen(agent(D))); // the first message makes its agent known
      owner.receive(D, message);
      assertEquals(before, owner.state, () -> "changed by " + message);
      assertTrue(
          owner.effects.size() == 1 && owner.effects.get(0) instanceof Effect.Rejected,
          () -> message + ": " + owner.effects);
    }
    RRefTables before = owner.state.copy();
    owner.apply(new Event.Arrived(agent(D), "g", List.of(Y)));
    assertEquals(before, owner.state, "call with a fork of another agent");
  }

  @Test
  void creatorCannotCancelAForkInUse() {
    Agent owner = ownerWithValue().receive(C, new Message.ForkRequest(Y));
    owner.receive(A, new Message.Cancel(Y));
    assertTrue(owner.effects.get(0) instanceof Effect.Rejected, "C uses it");
    assertTrue(owner.state.owners().get(REF).forks().contains(Y), "C uses it");
  }
}
