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
