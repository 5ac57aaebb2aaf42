package io.jgloo.collectives.algorithm.reduce;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.Space;
import io.jgloo.collectives.algorithm.pattern.HalvingRing;
import io.jgloo.collectives.algorithm.pattern.SplitTree;
import java.util.function.UnaryOperator;

/**
 * Rabenseifner's reduce: a reduce-scatter by recursive halving, then a tree gather of the chunks to
 * the root; for large vectors.
 *
 * <p>2 ceil(log2(P)) steps, 2S(P-1)/P bytes one after another. Where the result is not wanted
 * partial reductions lie in scratch memory as large as the vector. Rabenseifner, "Optimization of
 * collective reduction operations", 2004.
 *
 * <p>Drawn: reduce rabenseifner, 4 ranks, 4 elements.
 *
 * <pre>{@code
 *           rank 0       rank 1          rank 2       rank 3
 * round 1   cd>2 +ab<2   d>3 a>3 +bc<3   ab>0 +cd<0   bc>1 +d<1 +a<1
 * round 2   b>1 +a<3     c>2 +b<0        d>3 +c<1     a>0 +d<2
 * round 3   b<1          b>0             d<3          d>2
 * round 4   cd<2                         cd>0
 * }</pre>
 */
public record RabenseifnerReduce() implements Algorithm {
  @Override
  public Collective collective() {
    return Collective.REDUCE;
  }

  @Override
  public String name() {
    return "rabenseifner";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    UnaryOperator<Range> place =
        range -> rank == shape.root() ? program.result(range) : range.in(Space.SCRATCH);
    new HalvingRing(program, shape, rank, place).reduceScatter();
    SplitTree.of(shape.size(), shape.root(), rank).gather(program, Partition.chunks(shape), place);
    return program.schedule();
  }

  @Override
  public Cost cost(Shape shape) {
    Cost halving = HalvingRing.cost(shape);
    return halving.plus(SplitTree.costOfBlocks(shape, true)).reducing(halving.bytes());
  }
}
