package io.jgloo.collectives.algorithm.pattern;

import io.jgloo.collectives.Algorithm;
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
        .min(Comparator.comparingDouble(each -> CostModel.DEFAULT.seconds(each.cost(shape))))
        .orElseThrow();
  }

  /** Writes the steps of one rank of a phase with the {@linkplain #best best} candidate. */
  static void writeBest(List<Embeddable> candidates, Program phase) {
    best(candidates, phase.shape()).write(phase, phase.shape(), phase.rank());
  }
}
