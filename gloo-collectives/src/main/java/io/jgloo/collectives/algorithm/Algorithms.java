package io.jgloo.collectives.algorithm;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.allgather.BruckAllgather;
import io.jgloo.collectives.algorithm.allgather.CppGlooRingAllgather;
import io.jgloo.collectives.algorithm.allgather.HierarchicalAllgather;
import io.jgloo.collectives.algorithm.allgather.RingAllgather;
import io.jgloo.collectives.algorithm.allreduce.BcubeAllreduce;
import io.jgloo.collectives.algorithm.allreduce.DirectAllreduce;
import io.jgloo.collectives.algorithm.allreduce.HalvingDoublingAllreduce;
import io.jgloo.collectives.algorithm.allreduce.HierarchicalAllreduce;
import io.jgloo.collectives.algorithm.allreduce.LeadersAllreduce;
import io.jgloo.collectives.algorithm.allreduce.RabenseifnerAllreduce;
import io.jgloo.collectives.algorithm.allreduce.RecursiveDoublingAllreduce;
import io.jgloo.collectives.algorithm.allreduce.RingAllreduce;
import io.jgloo.collectives.algorithm.alltoall.BruckAlltoall;
import io.jgloo.collectives.algorithm.alltoall.LinearAlltoall;
import io.jgloo.collectives.algorithm.barrier.DisseminationBarrier;
import io.jgloo.collectives.algorithm.barrier.LeadersBarrier;
import io.jgloo.collectives.algorithm.broadcast.ChainBroadcast;
import io.jgloo.collectives.algorithm.broadcast.DoubleTreeBroadcast;
import io.jgloo.collectives.algorithm.broadcast.LeadersBroadcast;
import io.jgloo.collectives.algorithm.broadcast.TreeBroadcast;
import io.jgloo.collectives.algorithm.flat.Flat;
import io.jgloo.collectives.algorithm.gather.LinearGather;
import io.jgloo.collectives.algorithm.gather.TreeGather;
import io.jgloo.collectives.algorithm.pattern.Embeddable;
import io.jgloo.collectives.algorithm.reduce.DoubleTreeReduce;
import io.jgloo.collectives.algorithm.reduce.LeadersReduce;
import io.jgloo.collectives.algorithm.reduce.LinearReduce;
import io.jgloo.collectives.algorithm.reduce.TreeReduce;
import io.jgloo.collectives.algorithm.reducescatter.HalvingReduceScatter;
import io.jgloo.collectives.algorithm.reducescatter.HierarchicalReduceScatter;
import io.jgloo.collectives.algorithm.reducescatter.PairwiseReduceScatter;
import io.jgloo.collectives.algorithm.reducescatter.RingReduceScatter;
import io.jgloo.collectives.algorithm.scan.ChainScan;
import io.jgloo.collectives.algorithm.scan.DoublingScan;
import io.jgloo.collectives.algorithm.scatter.LinearScatter;
import io.jgloo.collectives.algorithm.scatter.TreeScatter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table of all algorithms, and the choice among them. */
public final class Algorithms {
  /** One line per algorithm; where two cost the same, the earlier one is chosen. */
  private static final List<Algorithm> ALL =
      Stream.of(
              allreduce(),
              Stream.of(new TreeBroadcast()),
              Stream.of(new ChainBroadcast()),
              Stream.of(new DoubleTreeBroadcast()),
              Stream.of(new LeadersBroadcast()),
              Stream.of(new DisseminationBarrier()),
              Stream.of(new LeadersBarrier()),
              of(BruckAllgather::new, Collective.ALLGATHER, Collective.ALLGATHERV),
              of(RingAllgather::new, Collective.ALLGATHER, Collective.ALLGATHERV),
              of(CppGlooRingAllgather::new, Collective.ALLGATHER, Collective.ALLGATHERV),
              of(HierarchicalAllgather::new, Collective.ALLGATHER, Collective.ALLGATHERV),
              of(LinearAlltoall::new, Collective.ALLTOALL, Collective.ALLTOALLV),
              Stream.of(new BruckAlltoall()),
              of(TreeGather::new, Collective.GATHER, Collective.GATHERV),
              of(LinearGather::new, Collective.GATHER, Collective.GATHERV),
              Stream.of(new TreeReduce()),
              Stream.of(new DoubleTreeReduce()),
              Stream.of(new LinearReduce()),
              Stream.of(new LeadersReduce()),
              of(RingReduceScatter::new, Collective.REDUCE_SCATTER, Collective.REDUCE_SCATTERV),
              of(HalvingReduceScatter::new, Collective.REDUCE_SCATTER, Collective.REDUCE_SCATTERV),
              of(PairwiseReduceScatter::new, Collective.REDUCE_SCATTER, Collective.REDUCE_SCATTERV),
              of(
                  HierarchicalReduceScatter::new,
                  Collective.REDUCE_SCATTER,
                  Collective.REDUCE_SCATTERV),
              of(TreeScatter::new, Collective.SCATTER, Collective.SCATTERV),
              of(LinearScatter::new, Collective.SCATTER, Collective.SCATTERV),
              of(DoublingScan::new, Collective.SCAN, Collective.EXSCAN),
              of(ChainScan::new, Collective.SCAN, Collective.EXSCAN),
              of(
                  Flat::new,
                  Collective.ALLREDUCE,
                  Collective.BARRIER,
                  Collective.BROADCAST,
                  Collective.ALLGATHER))
          .<Algorithm>flatMap(line -> line)
          .toList();

  private Algorithms() {}

  private static Stream<Algorithm> allreduce() {
    return Stream.of(
        new RecursiveDoublingAllreduce(),
        new RingAllreduce(),
        new HalvingDoublingAllreduce(),
        new RabenseifnerAllreduce(),
        new RingAllreduce("ringChunked", 2),
        new BcubeAllreduce(),
        new HierarchicalAllreduce(),
        new LeadersAllreduce(),
        new DirectAllreduce());
  }

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
    return named(of(collective), collective, name);
  }

  static Algorithm named(List<Algorithm> known, Collective collective, String name) {
    return known.stream()
        .filter(algorithm -> algorithm.name().equals(name))
        .findFirst()
        .orElseThrow(() -> unknown(known, collective, name));
  }

  /** The algorithm that is predicted to take the least time. */
  public static Algorithm select(Shape shape, CostModel model) {
    return select(shape, model, false);
  }

  /**
   * The algorithm that is predicted to take the least time.
   *
   * @param ordered whether only those will do that reduce in the order of ranks
   */
  public static Algorithm select(Shape shape, CostModel model, boolean ordered) {
    return select(of(shape.collective()).stream(), shape, model, ordered);
  }

  static Algorithm select(
      Stream<Algorithm> candidates, Shape shape, CostModel model, boolean ordered) {
    return candidates
        .filter(algorithm -> !(algorithm instanceof Flat)) // for cells only
        .filter(algorithm -> algorithm.ordered() || !ordered)
        .min(Comparator.comparingDouble(algorithm -> seconds(algorithm, shape, model)))
        .orElseThrow();
  }

  /** The predicted durations on the layout of the shape, the least first. */
  static String predictions(
      Stream<Algorithm> candidates, Shape shape, CostModel model, boolean ordered) {
    return candidates
        .filter(algorithm -> algorithm.ordered() || !ordered)
        .sorted(Comparator.comparingDouble(algorithm -> seconds(algorithm, shape, model)))
        .map(each -> "%s %.1f us".formatted(each.name(), 1e6 * seconds(each, shape, model)))
        .collect(Collectors.joining(", "));
  }

  /** Predicted duration in seconds on the layout of the shape. */
  public static double seconds(Algorithm algorithm, Shape shape, CostModel model) {
    Layout layout = shape.layout();
    Cost cost = algorithm.cost(shape);
    if (layout.nodes() == 1) {
      return model.seconds(cost.inside());
    }
    Cost shared = cost.sharingLink(algorithm.linkSharers(layout));
    return model.seconds(Embeddable.onLinks(shared, layout.nodes(), algorithm.idleLinks(shape)));
  }

  private static IllegalArgumentException unknown(
      List<Algorithm> known, Collective collective, String name) {
    return new IllegalArgumentException(
        collective.label()
            + " algorithm = "
            + name
            + "; there are "
            + known.stream().map(Algorithm::name).toList());
  }
}
