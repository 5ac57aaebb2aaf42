package io.jgloo.collectives.algorithm.allreduce;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.DirectExchange;
import io.jgloo.collectives.algorithm.pattern.Embeddable;
import io.jgloo.collectives.algorithm.pattern.NodeView;
import java.util.List;

/**
 * Hierarchical allreduce: a direct reduce-scatter on each host, an allreduce of each column among
 * its owners on all hosts, then each owner sends its column to the ranks of its host.
 *
 * <p>2S(N-1)/N bytes leave a host, N being the number of hosts, however many ranks it has; in a
 * ring it is 2S(P-1)/P. Any layout will do: there are as many columns as the smallest host has
 * ranks, and ranks beyond only give their contribution. Segments pass the three phases one after
 * another. Each element is associated in one way at one rank, or alike at all ranks.
 *
 * <p>Drawn: allreduce hierarchical, 4 ranks on 2 hosts, 4 elements.
 *
 * <pre>{@code
 *           rank 0     rank 1     rank 2     rank 3
 * round 1   b>1 +a<1   a>0 +b<0   b>3 +a<3   a>2 +b<2
 * round 2   a>2 +a<2   b>3 +b<3   a>0 +a<0   b>1 +b<1
 * round 3   a>1 b<1    b>0 a<0    a>3 b<3    b>2 a<2
 * }</pre>
 */
public record HierarchicalAllreduce() implements Algorithm {
  private static final List<Embeddable> BETWEEN_NODES =
      List.of(
          new RecursiveDoublingAllreduce(),
          new RingAllreduce(),
          new RingAllreduce("ringChunked", 2),
          new HalvingDoublingAllreduce());

  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
  }

  @Override
  public String name() {
    return "hierarchical";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    NodeView view = new NodeView(shape, rank);
    if (shape.layout().nodes() == 1) {
      new DirectAllreduce().write(program, shape, rank);
      return program.schedule();
    }
    Partition columns = columns(shape);
    DirectExchange local = new DirectExchange(program, view.members(), columns);
    for (int slice = 0; slice < local.slices(); slice++) {
      local.reduce(slice);
    }
    if (view.isOwner()) {
      Range column = columns.part(view.index());
      Range result = program.result(column);
      Range own = view.localSize() == 1 ? program.own(column) : result;
      Shape part = between(shape, column.length());
      Program owners = program.within(part, view.owners(view.index()), own, result, 0);
      best(part).write(owners);
    }
    for (int slice = 0; slice < local.slices(); slice++) {
      local.publish(slice);
    }
    return program.schedule();
  }

  private static Partition columns(Shape shape) {
    Range all = new Range(Space.OUTPUT, 0, shape.bytes());
    return Partition.pieces(shape, all, shape.layout().leastLocalSize());
  }

  /** What the owners of a column do. */
  static Shape between(Shape shape, long bytes) {
    int nodes = shape.layout().nodes();
    return Shape.allreduce(nodes, bytes / shape.elementBytes(), shape.elementBytes())
        .withSegmentBytes(shape.segmentBytes());
  }

  static Embeddable best(Shape between) {
    return Embeddable.best(BETWEEN_NODES, between);
  }

  @Override
  public Cost cost(Shape shape) {
    Layout layout = shape.layout();
    if (layout.nodes() == 1 || shape.bytes() == 0) {
      return new DirectAllreduce().cost(shape);
    }
    long column = columns(shape).longest();
    int members = layout.mostLocalSize();
    Shape part = between(shape, column);
    Cost local = DirectExchange.costBehindLink(shape, members, column);
    return local
        .reducing(local.pathBytes())
        .plus(best(part).cost(part).sharingLink(layout.leastLocalSize()))
        .plus(local);
  }

  @Override
  public int linkSharers(Layout layout) {
    return 1;
  }

  @Override
  public double idleLinks(Shape shape) {
    Shape part = between(shape, columns(shape).longest());
    return best(part).idleLinks(part);
  }
}
