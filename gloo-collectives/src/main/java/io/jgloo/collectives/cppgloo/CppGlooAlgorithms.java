package io.jgloo.collectives.cppgloo;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.algorithm.allgather.CppGlooRingAllgather;
import io.jgloo.collectives.algorithm.barrier.DisseminationBarrier;
import java.util.List;

/**
 * The table of algorithms in Gloo's messages: of each collective first the one that Gloo takes
 * unless another is given.
 */
public final class CppGlooAlgorithms {
  private static final List<Algorithm> ALL =
      List.of(
          new CppGlooRingAllreduce(),
          new CppGlooBcubeAllreduce(),
          new CppGlooTreeBroadcast(),
          new DisseminationBarrier(),
          new CppGlooRingAllgather(Collective.ALLGATHER),
          new CppGlooRingAllgather(Collective.ALLGATHERV),
          new CppGlooLinear(Collective.ALLTOALL),
          new CppGlooLinear(Collective.ALLTOALLV),
          new CppGlooLinear(Collective.GATHER),
          new CppGlooLinear(Collective.GATHERV),
          new CppGlooRingReduce(),
          new CppGlooLinear(Collective.SCATTER),
          new CppGlooSlicedReduceScatter());

  private CppGlooAlgorithms() {}

  /** All algorithms of all collectives. */
  public static List<Algorithm> all() {
    return ALL;
  }

  /** The algorithms of one collective; none if Gloo does not have it. */
  public static List<Algorithm> of(Collective collective) {
    return ALL.stream().filter(algorithm -> algorithm.collective() == collective).toList();
  }
}
