package io.jgloo.rpc.rref.protocol;

import static io.jgloo.rpc.rref.protocol.Scenarios.A;
import static io.jgloo.rpc.rref.protocol.Scenarios.B;
import static io.jgloo.rpc.rref.protocol.Scenarios.C;
import static io.jgloo.rpc.rref.protocol.Scenarios.OWN;
import static io.jgloo.rpc.rref.protocol.Scenarios.REF;
import static io.jgloo.rpc.rref.protocol.Scenarios.ROOT;
import static io.jgloo.rpc.rref.protocol.Scenarios.SECOND;
import static io.jgloo.rpc.rref.protocol.Scenarios.argument;
import static io.jgloo.rpc.rref.protocol.Scenarios.chain;
import static io.jgloo.rpc.rref.protocol.Scenarios.death;
import static io.jgloo.rpc.rref.protocol.Scenarios.doubt;
import static io.jgloo.rpc.rref.protocol.Scenarios.fence;
import static io.jgloo.rpc.rref.protocol.Scenarios.fork;
import static io.jgloo.rpc.rref.protocol.Scenarios.giveUp;
import static io.jgloo.rpc.rref.protocol.Scenarios.lose;
import static io.jgloo.rpc.rref.protocol.Scenarios.s1;
import static io.jgloo.rpc.rref.protocol.Scenarios.s2;
import static io.jgloo.rpc.rref.protocol.Scenarios.s3;
import static io.jgloo.rpc.rref.protocol.Scenarios.s4;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scenarios in every order of delivery, with each message lost, late and repeated. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT) // no I/O and no state in common
final class PermutationsTest {

  private static final int LIMIT = 100_000;
  private static final ForkId TO_B = fork(REF, A, B, 0);
  private static final ForkId TO_C = fork(REF, A, C, 0);
  private static final ForkId OWN_TO_C = fork(OWN, B, C, 0);

  /** Reachable states; another number means that the rules have changed. */
  private static final Map<String, Integer> STATES =
      Map.of("S1", 42, "S2", 294, "S3", 32, "S4", 2140, "chain", 9424, "argument", 2890);

  static List<Scenario> sound() {
    return List.of(s1(), s2(), s3(), s4(), argument());
  }

  static List<Scenario> lossy() {
    return List.of(
        s1().plus("A gives up the creation", giveUp(A, ROOT)),
        s2().plus("A gives up the creation", giveUp(A, ROOT)),
        s2().plus("call lost", lose(TO_B)),
        s3().plus("call lost", lose(OWN_TO_C)),
        s4().plus("call lost", lose(TO_C)),
        s2().plus("call in doubt and late", doubt(TO_B, false)),
        s3().plus("call in doubt and late", doubt(OWN_TO_C, false)),
        s2().plus("call in doubt and lost", doubt(TO_B, true)),
        s3().plus("call in doubt and lost", doubt(OWN_TO_C, true)),
        s4().plus("call in doubt and lost", doubt(TO_C, true)));
  }

  static List<Scenario> deadly() {
    return List.of(
        s1().plus("A dies", death(A, B)),
        s1().plus("B dies", death(B, A)),
        s2().plus("A dies", death(A, B)),
        s2().plus("B dies", death(B, A)),
        s3().plus("B dies", death(B, C)),
        s3().plus("C dies", death(C, B)),
        s4().plus("B dies", death(B, A, C)),
        s3().plus("B fences C", fence(B, C)),
        s4().plus("B fences C", fence(B, C)));
  }

  /** What others find in fewer steps, or with other agents. */
  static List<Scenario> longer() {
    return List.of(
        chain(),
        argument().plus("A gives up the call", giveUp(A, SECOND.root())),
        s4().plus("A dies", death(A, B, C)),
        s4().plus("C dies", death(C, A, B)),
        s4().plus("A fences C", fence(A, C)),
        s4().plus("A gives up the creation", giveUp(A, ROOT)),
        s4().plus("call in doubt and late", doubt(TO_C, false)),
        s4().plus("C fences A", fence(C, A)),
        s4().plus("C fences B", fence(C, B)));
  }

  @ParameterizedTest
  @MethodSource("sound")
  void rr02_everyOrderOfDelivery_keepsTheInvariants(Scenario scenario) {
    explore(scenario);
  }

  @ParameterizedTest
  @MethodSource("lossy")
  void lostCalls_inEveryOrder_keepTheInvariants(Scenario scenario) {
    explore(scenario);
  }

  @ParameterizedTest
  @MethodSource("deadly")
  void lostAgents_inEveryOrder_keepTheInvariants(Scenario scenario) {
    explore(scenario);
  }

  @ParameterizedTest
  @MethodSource("longer")
  @Tag("full")
  void longerScenarios_inEveryOrder_keepTheInvariants(Scenario scenario) {
    explore(scenario);
  }

  private static void explore(Scenario scenario) {
    Explorer.Result result = Explorer.explore(scenario, Protocol.REAL, LIMIT);
    System.out.println("RR02: " + scenario + ": " + result);
    assertTrue(result.ends() > 0, "no run ends");
    if (STATES.containsKey(scenario.name())) {
      assertEquals(STATES.get(scenario.name()), result.states(), "states explored");
    }
  }
}
