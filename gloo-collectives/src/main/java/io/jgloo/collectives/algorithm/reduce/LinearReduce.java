package io.jgloo.collectives.algorithm.reduce;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.InOrder;
import io.jgloo.collectives.algorithm.pattern.OneRound;

/**
 * Linear reduce: the root receives every rank's vector and reduces them one after another.
 *
 * <p>Ordered, and associated from the left as a loop over the ranks would. One step fewer than the
 * tree for two ranks only; for small groups and checks.
 *
 * <p>Drawn: reduce linear, 4 ranks, 1 elements.
 *
 * <pre>{@code
 *           rank 0   rank 1   rank 2   rank 3
 * round 1   +a<1     a>0
 * round 2   +a<2              a>0
 * round 3   +a<3                       a>0
 * }</pre>
 */
public record LinearReduce() implements OneRound {
  @Override
  public Collective collective() {
    return Collective.REDUCE;
  }

  @Override
  public String name() {
    return "linear";
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    Range all = new Range(Space.OUTPUT, 0, shape.bytes());
    if (rank == shape.root()) {
      new InOrder(program, shape, rank).reduce(all);
    } else {
      program.send(shape.root(), program.own(all));
    }
    return program.schedule();
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    long others = shape.size() - 1L;
    long bytes = shape.bytes();
    return new Cost(others, shape.messages(bytes), bytes, others * bytes, others * bytes)
        .queueing(others - 1);
  }
}
