package io.jgloo.rpc.rref.protocol;

import static io.jgloo.rpc.rref.protocol.Scenarios.A;
import static io.jgloo.rpc.rref.protocol.Scenarios.B;
import static io.jgloo.rpc.rref.protocol.Scenarios.C;
import static io.jgloo.rpc.rref.protocol.Scenarios.OWN;
import static io.jgloo.rpc.rref.protocol.Scenarios.REF;
import static io.jgloo.rpc.rref.protocol.Scenarios.ROOT;
import static io.jgloo.rpc.rref.protocol.Scenarios.fork;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** RR01: the four scenarios when each message arrives at once. */
@Timeout(60)
final class TraceTest {

  private static final Event VALUE = new Event.ValueSet(REF, Invariants.valueOf(REF));

  static Trace s1() {
    return new Trace(2)
        .apply(A, "r = remote(B, f)", new Event.UserCreated(ROOT, List.of()))
        .apply(A, "r.toHere()", new Event.FetchAsked(ROOT, 1))
        .deliver()
        .apply(B, "f ends", VALUE)
        .deliver()
        .apply(A, "r.close()", new Event.UserClosed(ROOT))
        .deliver();
  }

  static Trace s2() {
    ForkId child = fork(REF, A, B, 0);
    return new Trace(2)
        .apply(A, "r = remote(B, f)", new Event.UserCreated(ROOT, List.of()))
        .apply(A, "rpcAsync(B, g, r)", new Event.UserForked(ROOT, child))
        .call(A, B, "g", child)
        .apply(A, "r.close()", new Event.UserClosed(ROOT))
        .deliver()
        .apply(B, "f ends", VALUE)
        .apply(B, "g ends", new Event.OwnerClosed(REF))
        .deliver();
  }

  static Trace s3() {
    ForkId child = fork(OWN, B, C, 0);
    return new Trace(3)
        .apply(B, "r = RRef.of(value)", new Event.OwnerCreated(OWN, Invariants.valueOf(OWN)))
        .apply(B, "rpcAsync(C, g, r)", new Event.OwnerForked(child))
        .call(B, C, "g", child)
        .apply(B, "r.close()", new Event.OwnerClosed(OWN))
        .deliver()
        .apply(C, "r.toHere()", new Event.FetchAsked(child, 1))
        .deliver()
        .apply(C, "g ends", new Event.UserClosed(child))
        .deliver();
  }

  static Trace s4() {
    return s4(new Trace(3));
  }

  static Trace s4(Trace trace) {
    ForkId child = fork(REF, A, C, 0);
    return trace
        .apply(A, "r = remote(B, f)", new Event.UserCreated(ROOT, List.of()))
        .apply(A, "rpcAsync(C, g, r)", new Event.UserForked(ROOT, child))
        .call(A, C, "g", child)
        .apply(A, "r.close()", new Event.UserClosed(ROOT))
        .deliver()
        .apply(B, "f ends", VALUE)
        .apply(C, "r.toHere()", new Event.FetchAsked(child, 1))
        .deliver()
        .apply(C, "g ends", new Event.UserClosed(child))
        .deliver();
  }

  @Test
  void rr01_s1_userSharesWithOwnerByTheResult() {
    assertTrace(
        s1(),
        "A -> B REMOTE_CALL 1",
        "A -> B FETCH 1",
        "B -> A USER_ACCEPT 1",
        "B -> A FETCH_REPLY 1",
        "A -> B USER_DELETE 1");
  }

  @Test
  void rr01_s2_userSharesWithOwnerByAnArgument() {
    assertTrace(
        s2(),
        "A -> B REMOTE_CALL 1",
        "A -> B CALL(g, fork 2)",
        "B -> A USER_ACCEPT 1",
        "B -> A CHILD_ACCEPT 2",
        "A -> B USER_DELETE 1");
  }

  @Test
  void rr01_s3_ownerSharesWithUser() {
    assertTrace(
        s3(),
        "B -> C CALL(g, fork 1)",
        "C -> B FETCH 1",
        "B -> C FETCH_REPLY 1",
        "C -> B USER_DELETE 1");
  }

  @Test
  void rr01_s4_userSharesWithUser() {
    assertTrace(
        s4(),
        "A -> B REMOTE_CALL 1",
        "A -> C CALL(g, fork 2)",
        "B -> A USER_ACCEPT 1",
        "C -> B FORK_REQUEST 2",
        "B -> C FORK_REPLY 2",
        "C -> A CHILD_ACCEPT 2",
        "A -> B USER_DELETE 1",
        "C -> B FETCH 2",
        "B -> C FETCH_REPLY 2",
        "C -> B USER_DELETE 2");
  }

  private static void assertTrace(Trace trace, String... messages) {
    assertEquals(List.of(messages), trace.messages());
    for (int rank = A; rank <= B; rank++) {
      assertTrue(trace.state(rank).isQuiet(), "tables of " + rank + " are not empty");
    }
  }
}
