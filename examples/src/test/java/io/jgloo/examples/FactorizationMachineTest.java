package io.jgloo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A short training with servers that are killed has the loss of one without. */
@Timeout(400)
final class FactorizationMachineTest {

  @Test
  void lossWithTwoKilledServers_isThatOfTheUndisturbedRun() throws Exception {
    int steps = Boolean.getBoolean("jgloo.test.full") ? 400 : 60;
    double first = FactorizationMachine.run(1, 0);
    double undisturbed = FactorizationMachine.run(steps, 0);
    double killed = FactorizationMachine.run(steps, 2);
    System.out.printf("loss %.4f at first, %.6f, with kills %.6f%n", first, undisturbed, killed);
    assertTrue(undisturbed < first * 0.8, undisturbed + " after " + first);
    assertEquals(undisturbed, killed, undisturbed * 0.01);
  }
}
