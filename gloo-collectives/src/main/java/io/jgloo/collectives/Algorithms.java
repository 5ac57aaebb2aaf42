package io.jgloo.collectives;

import io.jgloo.collectives.allgather.BruckAllgather;
import io.jgloo.collectives.allgather.RingAllgather;
import io.jgloo.collectives.allreduce.HalvingDoublingAllreduce;
import io.jgloo.collectives.allreduce.RecursiveDoublingAllreduce;
import io.jgloo.collectives.allreduce.RingAllreduce;
import io.jgloo.collectives.allreduce.TreeAllreduce;
import io.jgloo.collectives.alltoall.LinearAlltoall;
import io.jgloo.collectives.barrier.DisseminationBarrier;
import io.jgloo.collectives.barrier.TreeBarrier;
import io.jgloo.collectives.broadcast.ChainBroadcast;
import io.jgloo.collectives.broadcast.TreeBroadcast;
import io.jgloo.collectives.gather.LinearGather;
import io.jgloo.collectives.gather.TreeGather;
import io.jgloo.collectives.reduce.LinearReduce;
import io.jgloo.collectives.reduce.TreeReduce;
import io.jgloo.collectives.reducescatter.PairwiseReduceScatter;
import io.jgloo.collectives.reducescatter.RingReduceScatter;
import io.jgloo.collectives.scan.ChainScan;
import io.jgloo.collectives.scan.DoublingScan;
import io.jgloo.collectives.scatter.LinearScatter;
import io.jgloo.collectives.scatter.TreeScatter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The table of all algorithms, and the choice among them. */
public final class Algorithms {
  /** One line per algorithm; where two cost the same, the earlier one is chosen. */
  private static final List<Algorithm> ALL =
      Stream.of(
              Stream.of(new RecursiveDoublingAllreduce()),
              Stream.of(new RingAllreduce()),
              Stream.of(new HalvingDoublingAllreduce()),
              Stream.of(new TreeAllreduce()),
              Stream.of(new TreeBroadcast()),
              Stream.of(new ChainBroadcast()),
              Stream.of(new DisseminationBarrier()),
              Stream.of(new TreeBarrier()),
              of(BruckAllgather::new, Collective.ALLGATHER, Collective.ALLGATHERV),
              of(RingAllgather::new, Collective.ALLGATHER, Collective.ALLGATHERV),
              of(LinearAlltoall::new, Collective.ALLTOALL, Collective.ALLTOALLV),
              of(TreeGather::new, Collective.GATHER, Collective.GATHERV),
              of(LinearGather::new, Collective.GATHER, Collective.GATHERV),
              Stream.of(new TreeReduce()),
              Stream.of(new LinearReduce()),
              of(RingReduceScatter::new, Collective.REDUCE_SCATTER, Collective.REDUCE_SCATTERV),
              of(PairwiseReduceScatter::new, Collective.REDUCE_SCATTER, Collective.REDUCE_SCATTERV),
              of(TreeScatter::new, Collective.SCATTER, Collective.SCATTERV),
              of(LinearScatter::new, Collective.SCATTER, Collective.SCATTERV),
              of(DoublingScan::new, Collective.SCAN, Collective.EXSCAN),
              of(ChainScan::new, Collective.SCAN, Collective.EXSCAN))
          .<Algorithm>flatMap(line -> line)
          .toList();

  private Algorithms() {}

  /** An algorithm that serves several collectives. */
  private static Stream<Algorithm> of(
      Function<Collective, Algorithm> algorithm, Collective... collectives) {
    return Arrays.stream(collectives).map(algorithm);
  }

  /** All algorithms of all collectives. */
  public static List<Algorithm> all() {
    return ALL;
  }

  /** The algorithms of one collective. */
  public static List<Algorithm> of(Collective collective) {
    return ALL.stream().filter(algorithm -> algorithm.collective() == collective).toList();
  }

  /**
   * The algorithm of a name.
   *
   * @throws IllegalArgumentException if there is none; the message lists those there are
   */
  public static Algorithm named(Collective collective, String name) {
    return of(collective).stream()
        .filter(algorithm -> algorithm.name().equals(name))
        .findFirst()
        .orElseThrow(() -> unknown(collective, name));
  }

  /** The algorithm that is predicted to take the least time. */
  public static Algorithm select(Shape shape, CostModel model) {
    return of(shape.collective()).stream()
        .min(Comparator.comparingDouble(algorithm -> model.seconds(algorithm.cost(shape))))
        .orElseThrow();
  }

  private static IllegalArgumentException unknown(Collective collective, String name) {
    return new IllegalArgumentException(
        collective.label()
            + " algorithm = "
            + name
            + "; there are "
            + of(collective).stream().map(Algorithm::name).toList());
  }
}
