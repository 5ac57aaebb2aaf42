package io.jgloo.collectives.algorithm.allreduce;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.Embeddable;
import io.jgloo.collectives.algorithm.pattern.HalvingRing;

/**
 * Halving-doubling allreduce: a reduce-scatter that halves what a rank is responsible for in each
 * round, then the same rounds backwards as an allgather.
 *
 * <p>2 ceil(log2(P)) steps, 2S(P-1)/P bytes per rank, for any P. A rank that is responsible for w
 * chunks from its own onwards keeps the first h = ceil(w/2) and sends the others h ranks on, where
 * they are the first. Rabenseifner's exchange with the rank at distance h is this for powers of
 * two; for others it must fold ranks, which costs 2S bytes and two steps more. Träff, "Optimal,
 * non-pipelined reduce-scatter and allreduce algorithms", 2024; Rabenseifner, "Optimization of
 * collective reduction operations", 2004.
 *
 * <p>Drawn: allreduce halvingDoubling, 4 ranks, 4 elements.
 *
 * <pre>{@code
 *           rank 0       rank 1          rank 2       rank 3
 * round 1   cd>2 +ab<2   d>3 a>3 +bc<3   ab>0 +cd<0   bc>1 +d<1 +a<1
 * round 2   b>1 +a<3     c>2 +b<0        d>3 +c<1     a>0 +d<2
 * round 3   a>3 b<1      b>0 c<2         c>1 d<3      d>2 a<0
 * round 4   ab>2 cd<2    bc>3 d<3 a<3    cd>0 ab<0    d>1 a>1 bc<1
 * }</pre>
 *
 * <p>Drawn: allreduce halvingDoubling, 5 ranks, 5 elements.
 *
 * <pre>{@code
 *           rank 0       rank 1          rank 2       rank 3       rank 4
 * round 1   de>3 +ab<2   e>4 a>4 +bc<3   ab>0 +cd<4   bc>1 +de<0   cd>2 +e<1 +a<1
 * round 2   c>2 +a<3     d>3 +b<4        e>4 +c<0     a>0 +d<1     b>1 +e<2
 * round 3   b>1 +a<4     c>2 +b<0        d>3 +c<1     e>4 +d<2     a>0 +e<3
 * round 4   a>4 b<1      b>0 c<2         c>1 d<3      d>2 e<4      e>3 a<0
 * round 5   a>3 c<2      b>4 d<3         c>0 e<4      d>1 a<0      e>2 b<1
 * round 6   ab>2 de<3    bc>3 e<4 a<4    cd>4 ab<0    de>0 bc<1    e>1 a>1 cd<2
 * }</pre>
 */
public final class HalvingDoublingAllreduce implements Embeddable {
  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
  }

  @Override
  public String name() {
    return "halvingDoubling";
  }

  @Override
  public boolean ordered() {
    return false;
  }

  @Override
  public void write(Program program, Shape shape, int rank) {
    HalvingRing ring = new HalvingRing(program, shape, rank);
    ring.reduceScatter();
    ring.allgather();
  }

  @Override
  public Cost cost(Shape shape) {
    Cost half = HalvingRing.cost(shape);
    return half.plus(half).reducing(half.bytes());
  }
}
