package io.jgloo.collectives.gloo;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.algorithm.allgather.GlooRingAllgather;
import io.jgloo.collectives.algorithm.allreduce.GlooRingAllreduce;
import io.jgloo.collectives.algorithm.barrier.DisseminationBarrier;
import io.jgloo.collectives.algorithm.reduce.GlooRingReduce;
import java.util.List;

/**
 * The table of algorithms in Gloo's messages: of each collective first the one that Gloo takes
 * unless another is given, last those of its classes, which bear the names of these.
 */
public final class GlooAlgorithms {
  private static final List<Algorithm> ALL =
      List.of(
          new GlooRingAllreduce(),
          new GlooBcubeAllreduce(),
          new RingAllreduceClass(),
          new RingChunkedAllreduceClass(),
          new HalvingDoublingAllreduceClass(),
          new BcubeAllreduceClass(),
          new GlooTreeBroadcast(),
          new OneToAllBroadcastClass(false),
          new DisseminationBarrier(),
          new BarrierClass(false, false),
          new BarrierClass(true, false),
          new GlooRingAllgather(Collective.ALLGATHER),
          new RingAllgatherClass(),
          new GlooRingAllgather(Collective.ALLGATHERV),
          new GlooLinearAlltoall(Collective.ALLTOALL),
          new GlooLinearAlltoall(Collective.ALLTOALLV),
          new PairwiseExchangeClass(),
          new GlooLinearGather(Collective.GATHER),
          new GlooLinearGather(Collective.GATHERV),
          new GlooRingReduce(),
          new GlooLinearScatter(),
          new HalvingReduceScatterClass(Collective.REDUCE_SCATTER),
          new HalvingReduceScatterClass(Collective.REDUCE_SCATTERV),
          new GlooSlicedReduceScatter());

  /** Classes that were written otherwise before May 2023; they bear the same names. */
  private static final List<Algorithm> CLASSIC =
      List.of(
          new OneToAllBroadcastClass(true),
          new BarrierClass(false, true),
          new BarrierClass(true, true));

  private GlooAlgorithms() {}

  /** The same algorithm as it was before May 2023. */
  static Algorithm classic(Algorithm algorithm) {
    return CLASSIC.stream()
        .filter(each -> each.name().equals(algorithm.name()))
        .findFirst()
        .orElse(algorithm);
  }

  /** All algorithms of all collectives. */
  public static List<Algorithm> all() {
    return ALL;
  }

  /** The algorithms of one collective; none if Gloo does not have it. */
  public static List<Algorithm> of(Collective collective) {
    return ALL.stream().filter(algorithm -> algorithm.collective() == collective).toList();
  }
}
