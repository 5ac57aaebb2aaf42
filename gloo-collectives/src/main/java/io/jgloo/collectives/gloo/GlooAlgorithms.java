package io.jgloo.collectives.gloo;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.algorithm.allgather.GlooRingAllgather;
import io.jgloo.collectives.algorithm.barrier.DisseminationBarrier;
import java.util.List;

/**
 * The table of algorithms in Gloo's messages: of each collective first the one that Gloo takes
 * unless another is given.
 */
public final class GlooAlgorithms {
  private static final List<Algorithm> ALL =
      List.of(
          new GlooRingAllreduce(),
          new GlooBcubeAllreduce(),
          new GlooTreeBroadcast(),
          new DisseminationBarrier(),
          new GlooRingAllgather(Collective.ALLGATHER),
          new GlooRingAllgather(Collective.ALLGATHERV),
          new GlooLinear(Collective.ALLTOALL),
          new GlooLinear(Collective.ALLTOALLV),
          new GlooLinear(Collective.GATHER),
          new GlooLinear(Collective.GATHERV),
          new GlooRingReduce(),
          new GlooLinear(Collective.SCATTER),
          new GlooSlicedReduceScatter());

  private GlooAlgorithms() {}

  /** All algorithms of all collectives. */
  public static List<Algorithm> all() {
    return ALL;
  }

  /** The algorithms of one collective; none if Gloo does not have it. */
  public static List<Algorithm> of(Collective collective) {
    return ALL.stream().filter(algorithm -> algorithm.collective() == collective).toList();
  }
}
