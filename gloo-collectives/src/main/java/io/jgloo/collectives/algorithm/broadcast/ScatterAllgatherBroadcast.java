package io.jgloo.collectives.algorithm.broadcast;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.HalvingRing;
import io.jgloo.collectives.algorithm.pattern.SplitTree;

/**
 * Scatter-allgather broadcast: a tree scatters the chunks of the vector, then all gather them; for
 * large vectors and few ranks.
 *
 * <p>2 ceil(log2(P)) steps, 2S(P-1)/P bytes one after another, where a tree needs log2(P) times S.
 * Barnett, Gupta, Payne, Shuler, van de Geijn and Watts, "Interprocessor collective communication
 * library (InterCom)", 1994.
 *
 * <p>Drawn: broadcast scatterAllgather, 4 ranks, 4 elements.
 *
 * <pre>{@code
 *           rank 0      rank 1         rank 2      rank 3
 * round 1   cd>2                       cd<0
 * round 2   b>1         b<0            d>3         d<2
 * round 3   a>3 b<1     b>0 c<2        c>1 d<3     d>2 a<0
 * round 4   ab>2 cd<2   bc>3 d<3 a<3   cd>0 ab<0   d>1 a>1 bc<1
 * }</pre>
 */
public record ScatterAllgatherBroadcast() implements Algorithm {
  @Override
  public Collective collective() {
    return Collective.BROADCAST;
  }

  @Override
  public String name() {
    return "scatterAllgather";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    Partition chunks = Partition.chunks(shape);
    boolean root = rank == shape.root();
    SplitTree.of(shape.size(), shape.root(), rank)
        .scatter(program, chunks, root ? program::own : program::result);
    if (root) {
      program.copyOwn(chunks.part(rank));
    }
    new HalvingRing(program, shape, rank).allgather();
    return program.schedule();
  }

  @Override
  public Cost cost(Shape shape) {
    return SplitTree.costOfBlocks(shape, false).plus(HalvingRing.cost(shape));
  }
}
