package io.jgloo.collectives.verify;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.verify.Verifier.BrokenScheduleException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Executes all ranks' schedules symbolically and throws if they do not do what they promise.
 *
 * <p>Checked are: messages match in number and length, first in first out for each pair; no range
 * is read or written while in flight; no deadlock, even if no message is ever buffered; nothing
 * undefined is read; every element of every output is the one promised (see {@code Promise}) and
 * holds the contribution of each rank concerned exactly once, in an allreduce associated alike on
 * all ranks; no contribution is changed that should not be; no rank leaves a barrier before all
 * have entered. Races are excluded for every interleaving by proof, see {@link Races}; deadlocks
 * too, see {@link Simulation}. On top of that several interleavings are run.
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
    return verify(algorithm, Collections.nCopies(shape.size(), shape));
  }

  /** The same for the shapes of ranks 0, 1, 2 and so on, which differ for an alltoallv only. */
  public static int verify(Algorithm algorithm, List<Shape> shapes) {
    int runs = 0;
    try {
      for (Placement placement : Placement.values()) {
        List<Schedule> schedules = placement.schedules(algorithm, shapes);
        Network network = new Network(schedules);
        runs += verify(network, algorithm.ordered(), placement.interleavings(network));
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
    return verify(network, ordered, Placement.ODD.interleavings(network));
  }

  private static int verify(Network network, boolean ordered, List<Interleaving> interleavings) {
    Races.check(network);
    for (Interleaving interleaving : interleavings) {
      Simulation.run(network, interleaving, ordered);
    }
    return interleavings.size();
  }

  /** Which ranks call in place, and the interleavings tried on that. */
  private enum Placement {
    NONE,
    ALL,
    ODD;

    List<Schedule> schedules(Algorithm algorithm, List<Shape> shapes) {
      List<Schedule> schedules = new ArrayList<>(shapes.size());
      for (int rank = 0; rank < shapes.size(); rank++) {
        Shape shape = shapes.get(rank);
        boolean inPlace = this == ALL || (this == ODD && rank % 2 == 1);
        schedules.add(algorithm.schedule(shape.withInPlace(inPlace && shape.symmetric()), rank));
      }
      return schedules;
    }

    /** One without buffers at least, as that excludes deadlocks. */
    List<Interleaving> interleavings(Network network) {
      long seed = 1L + network.operations();
      int starved = (int) (seed % network.size());
      return switch (this) {
        case NONE -> List.of(Interleaving.random(seed, true));
        case ALL -> List.of(Interleaving.starving(starved, seed, true));
        case ODD -> List.of(Interleaving.strictest(), Interleaving.random(seed, false));
      };
    }
  }

  /** Says why a set of schedules does not do what its collective promises. */
  public static final class BrokenScheduleException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The message names shape, rank and operation as far as they are known. */
    public BrokenScheduleException(String message) {
      super(message);
    }
  }
}
