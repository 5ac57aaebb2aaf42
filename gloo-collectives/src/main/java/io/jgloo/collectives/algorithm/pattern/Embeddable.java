package io.jgloo.collectives.algorithm.pattern;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import java.util.Comparator;
import java.util.List;

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

  /** The one that takes the least time between hosts, by the default costs; the first if equal. */
  static Embeddable best(List<Embeddable> candidates, Shape shape) {
    return candidates.stream()
        .min(
            Comparator.comparingDouble(
                each -> {
                  Cost cost = onLinks(each.cost(shape), shape.size(), each.streams(shape));
                  return CostModel.DEFAULT.seconds(cost);
                }))
        .orElseThrow();
  }

  /**
   * A cost with the time for which links are idle where ranks exchange with others in each round: a
   * fifth of what the bytes take. Measured with 4 and 8 hosts: 0 to 0.8 of it, the more the longer
   * messages are.
   *
   * @param nodes hosts; with two each has one link to one other
   * @param streams whether the algorithm {@linkplain Algorithm#streams streams}
   */
  static Cost onLinks(Cost cost, int nodes, boolean streams) {
    long idle = nodes == 2 || streams ? 0 : (cost.pathBytes() - cost.localPathBytes()) / 5;
    return cost.plus(new Cost(0, 0, 0, idle, 0));
  }

  /** Writes the steps of one rank of a phase with the {@linkplain #best best} candidate. */
  static void writeBest(List<Embeddable> candidates, Program phase) {
    best(candidates, phase.shape()).write(phase, phase.shape(), phase.rank());
  }
}
