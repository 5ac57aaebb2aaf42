package io.jgloo.collectives;

import io.jgloo.collectives.allreduce.HalvingDoublingAllreduce;
import io.jgloo.collectives.allreduce.RecursiveDoublingAllreduce;
import io.jgloo.collectives.allreduce.RingAllreduce;
import io.jgloo.collectives.allreduce.TreeAllreduce;
import io.jgloo.collectives.barrier.DisseminationBarrier;
import io.jgloo.collectives.barrier.TreeBarrier;
import io.jgloo.collectives.broadcast.ChainBroadcast;
import io.jgloo.collectives.broadcast.TreeBroadcast;
import java.util.Comparator;
import java.util.List;

/** The table of all algorithms, and the choice among them. */
public final class Algorithms {
  /** One line per algorithm; where two cost the same, the earlier one is chosen. */
  private static final List<Algorithm> ALL =
      List.of(
          new RecursiveDoublingAllreduce(),
          new RingAllreduce(),
          new HalvingDoublingAllreduce(),
          new TreeAllreduce(),
          new TreeBroadcast(),
          new ChainBroadcast(),
          new DisseminationBarrier(),
          new TreeBarrier());

  private Algorithms() {}

  /** All algorithms of all collectives. */
  public static List<Algorithm> all() {
    return ALL;
  }

  /** The algorithms of one collective. */
  public static List<Algorithm> of(Collective collective) {
    return ALL.stream().filter(algorithm -> algorithm.collective() == collective).toList();
  }

  /**
   * The algorithm of a name.
   *
   * @throws IllegalArgumentException if there is none; the message lists those there are
   */
  public static Algorithm named(Collective collective, String name) {
    return of(collective).stream()
        .filter(algorithm -> algorithm.name().equals(name))
        .findFirst()
        .orElseThrow(() -> unknown(collective, name));
  }

  /** The algorithm that is predicted to take the least time. */
  public static Algorithm select(Shape shape, CostModel model) {
    return of(shape.collective()).stream()
        .min(Comparator.comparingDouble(algorithm -> model.seconds(algorithm.cost(shape))))
        .orElseThrow();
  }

  private static IllegalArgumentException unknown(Collective collective, String name) {
    return new IllegalArgumentException(
        collective.label()
            + " algorithm = "
            + name
            + "; there are "
            + of(collective).stream().map(Algorithm::name).toList());
  }
}
