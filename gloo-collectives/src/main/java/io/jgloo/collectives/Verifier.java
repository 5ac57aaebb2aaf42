package io.jgloo.collectives;

import io.jgloo.collectives.verify.Interleaving;
import io.jgloo.collectives.verify.Network;
import io.jgloo.collectives.verify.Races;
import io.jgloo.collectives.verify.Simulation;
import java.util.ArrayList;
import java.util.List;

/**
 * Executes all ranks' schedules symbolically and throws if they do not do what they promise.
 *
 * <p>Checked are: messages match in number and length, first in first out for each pair; no range
 * is read or written while in flight; no deadlock, even if no message is ever buffered; nothing
 * undefined is read; every element of every output holds each rank's contribution exactly once
 * (broadcast: the root's), associated alike on all ranks; no rank leaves a barrier before all have
 * entered. Races are excluded for every interleaving by proof, see {@link Races}; deadlocks too,
 * see {@link Simulation}. On top of that several interleavings are run.
 *
 * <p><em>Fails</em>: {@link BrokenScheduleException} names shape, rank and operation.
 */
public final class Verifier {
  private Verifier() {}

  /**
   * Verifies an algorithm for one shape: out of place, in place, and with both among the ranks.
   *
   * @return number of runs made
   */
  public static int verify(Algorithm algorithm, Shape shape) {
    int runs = 0;
    try {
      for (Placement placement : Placement.values()) {
        runs += verify(placement.schedules(algorithm, shape), algorithm.ordered());
      }
    } catch (BrokenScheduleException fault) {
      throw new BrokenScheduleException(algorithm.name() + " " + fault.getMessage());
    }
    return runs;
  }

  /**
   * Verifies the schedules of ranks 0, 1, 2 and so on.
   *
   * @param ordered whether operands must stand in ascending order of ranks
   * @return number of runs made
   */
  public static int verify(List<Schedule> schedules, boolean ordered) {
    Network network = new Network(schedules);
    Races.check(network);
    long seed = 1L + network.operations();
    Interleaving other =
        seed % 2 == 0
            ? Interleaving.random(seed, false)
            : Interleaving.starving((int) (seed / 2 % schedules.size()), seed, true);
    Simulation.run(network, Interleaving.strictest(), ordered);
    Simulation.run(network, other, ordered);
    return 2;
  }

  /** Which ranks call in place. */
  private enum Placement {
    NONE,
    ALL,
    ODD;

    List<Schedule> schedules(Algorithm algorithm, Shape shape) {
      List<Schedule> schedules = new ArrayList<>(shape.size());
      for (int rank = 0; rank < shape.size(); rank++) {
        boolean inPlace = this == ALL || (this == ODD && rank % 2 == 1);
        schedules.add(algorithm.schedule(shape.withInPlace(inPlace), rank));
      }
      return schedules;
    }
  }
}
