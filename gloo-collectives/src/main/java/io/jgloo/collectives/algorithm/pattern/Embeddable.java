package io.jgloo.collectives.algorithm.pattern;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** An algorithm that can be a phase of another one, among some of its ranks. */
public interface Embeddable extends Algorithm {
  /**
   * Writes one rank's steps.
   *
   * @param program of the shape and the rank, or a view of one
   */
  void write(Program program, Shape shape, int rank);

  @Override
  default Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    write(program, shape, rank);
    return program.schedule();
  }

  /** Writes the steps of one rank of a phase. */
  default void write(Program phase) {
    write(phase, phase.shape(), phase.rank());
  }

  /** The one that takes the least time between hosts, by the default costs; the first if equal. */
  static Embeddable best(List<Embeddable> candidates, Shape shape) {
    return best(candidates, each -> onLinks(each.cost(shape), shape.size(), each.idleLinks(shape)));
  }

  /** The one that takes the least time inside a host, by the default costs; the first if equal. */
  static Embeddable bestInside(List<Embeddable> candidates, Shape shape) {
    return best(candidates, each -> each.cost(shape).inside());
  }

  private static Embeddable best(List<Embeddable> candidates, Function<Embeddable, Cost> cost) {
    return candidates.stream()
        .min(Comparator.comparingDouble(each -> CostModel.DEFAULT.seconds(cost.apply(each))))
        .orElseThrow();
  }

  /**
   * A cost with the time for which links between hosts are idle.
   *
   * @param nodes hosts; with two each has one link to one other
   * @param idle {@link Algorithm#idleLinks}
   */
  static Cost onLinks(Cost cost, int nodes, double idle) {
    long bytes = cost.pathBytes() - cost.localPathBytes();
    return nodes == 2 ? cost : cost.plus(new Cost(0, 0, 0, (long) (idle * bytes), 0));
  }
}
