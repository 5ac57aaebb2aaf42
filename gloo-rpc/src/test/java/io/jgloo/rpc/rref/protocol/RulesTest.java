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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rules that no order of honest messages shows: forged ids, late copies, abandoned fetches. */
@Timeout(60)
final class RulesTest {

  private static final Event CREATE = new Event.UserCreated(ROOT, List.of());
  private static final Event VALUE = new Event.ValueSet(REF, Invariants.valueOf(REF));
  private static final Message REMOTE_CALL = new Message.RemoteCall(ROOT, List.of());
  private static final ForkId Y = fork(REF, A, C, 0);

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
