package io.jgloo.rpc.rref.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each invariant is seen to fail when the defect that it is there for is planted. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT) // no I/O and no state in common
final class MutantTest {

  private static final int SEEDS = 1_000;

  @ParameterizedTest
  @EnumSource(Mutant.class)
  void plantedDefect_isFoundByEveryOrderOfDelivery(Mutant mutant) {
    List<Scenario> scenarios = new ArrayList<>(PermutationsTest.sound());
    scenarios.addAll(PermutationsTest.lossy());
    scenarios.addAll(PermutationsTest.deadly());
    scenarios.addAll(PermutationsTest.longer());
    // The small ones find all of them.
    scenarios.removeIf(scenario -> scenario.name().matches("chain.*|S4,.*"));
    InvariantBrokenError found = null;
    for (int i = 0; i < scenarios.size() && found == null; i++) {
      try {
        Explorer.explore(scenarios.get(i), mutant, 20_000);
      } catch (InvariantBrokenError e) {
        found = e;
      }
    }
    assertFound(mutant, found);
  }

  @ParameterizedTest
  @EnumSource(Mutant.class)
  void plantedDefect_isFoundByASeed(Mutant mutant) {
    InvariantBrokenError found = null;
    for (int seed = 0; seed < SEEDS && found == null; seed++) {
      try {
        RandomForks.run(seed, mutant);
      } catch (InvariantBrokenError e) {
        found = e;
      }
    }
    assertFound(mutant, found);
  }

  @Test
  void forkMadeTwice_isFound() {
    World world = Scenarios.s1().start().apply(Protocol.REAL);
    ForkId child = Scenarios.fork(Scenarios.REF, Scenarios.A, Scenarios.C, 0);
    Event event = new Event.UserForked(Scenarios.ROOT, child);
    World once = world.apply(Scenarios.A, event);
    InvariantBrokenError found =
        assertThrows(InvariantBrokenError.class, () -> once.apply(Scenarios.A, event));
    assertEquals("I8", found.invariant());
  }

  private static void assertFound(Mutant mutant, InvariantBrokenError found) {
    assertNotNull(found, "no invariant finds " + mutant);
    assertTrue(
        mutant.invariants().contains(found.invariant()),
        () -> mutant + " is found by " + found.getMessage());
  }
}
