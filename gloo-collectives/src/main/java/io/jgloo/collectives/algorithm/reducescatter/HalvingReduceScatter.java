package io.jgloo.collectives.algorithm.reducescatter;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.HalvingRing;
import java.util.function.UnaryOperator;

/**
 * Recursive halving reduce-scatter: in each round every rank sends away half of the blocks it is
 * responsible for, for any P; the first half of the halving-doubling allreduce.
 *
 * <p>ceil(log2(P)) steps and the bytes of the ring. Out of place partial reductions lie in scratch
 * memory as large as the input. Träff, "Optimal, non-pipelined reduce-scatter and allreduce
 * algorithms", 2024.
 *
 * <p>Drawn: reduceScatter recursiveHalving, 4 ranks, 4 elements.
 *
 * <pre>{@code
 *           rank 0       rank 1          rank 2       rank 3
 * round 1   cd>2 +ab<2   d>3 a>3 +bc<3   ab>0 +cd<0   bc>1 +d<1 +a<1
 * round 2   b>1 +a<3     c>2 +b<0        d>3 +c<1     a>0 +d<2
 * }</pre>
 *
 * @param collective reduceScatter or reduceScatterv
 */
public record HalvingReduceScatter(Collective collective) implements Algorithm {
  @Override
  public String name() {
    return "recursiveHalving";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    UnaryOperator<Range> place =
        range -> shape.inPlace() ? program.own(range) : range.in(Space.SCRATCH);
    new HalvingRing(program, shape, rank, place).reduceScatter();
    if (shape.size() > 1) {
      Range own = Partition.chunks(shape).part(rank);
      program.copy(program.result(own), place.apply(own));
    }
    return program.schedule();
  }

  @Override
  public Cost cost(Shape shape) {
    Cost moved = HalvingRing.cost(shape);
    return moved.reducing(moved.bytes());
  }
}
