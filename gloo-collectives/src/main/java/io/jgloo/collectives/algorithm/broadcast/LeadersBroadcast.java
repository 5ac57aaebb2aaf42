package io.jgloo.collectives.algorithm.broadcast;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.Embeddable;
import io.jgloo.collectives.algorithm.pattern.NodeView;
import java.util.List;

/**
 * Leaders broadcast: the root sends to one rank of each other host, and these leaders to the other
 * ranks of their hosts. Both phases are the best of the flat broadcasts for the number of ranks and
 * bytes; segments follow each other through both. The vector enters each host once.
 *
 * <p>Drawn: broadcast leaders, 4 ranks on 2 hosts, 1 elements.
 *
 * <pre>{@code
 *           rank 0   rank 1   rank 2   rank 3
 * round 1   a>2               a<0
 * round 2   a>1      a<0      a>3      a<2
 * }</pre>
 */
public record LeadersBroadcast() implements Algorithm {
  private static final List<Embeddable> PHASES =
      List.of(new TreeBroadcast(), new ChainBroadcast(), new DoubleTreeBroadcast());

  @Override
  public Collective collective() {
    return Collective.BROADCAST;
  }

  @Override
  public String name() {
    return "leaders";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    NodeView view = new NodeView(shape, rank);
    Layout layout = shape.layout();
    Range all = new Range(Space.OUTPUT, 0, shape.bytes());
    Range result = program.result(all);
    Range own = rank == shape.root() ? program.own(all) : result;
    int leader = view.leader(view.node(), shape.root());
    if (layout.nodes() > 1 && rank == leader) {
      List<Integer> leaders = view.acrossNodes(node -> view.leader(node, shape.root()));
      Shape part = part(shape, layout.nodes(), layout.node(shape.root()));
      Program phase = program.within(part, leaders, own, result, 0);
      Embeddable.best(PHASES, part).write(phase);
      own = result;
    }
    if (view.localSize() > 1 || layout.nodes() == 1) {
      Shape part = part(shape, view.localSize(), layout.localIndex(leader));
      Program phase = program.within(part, view.members(), own, result, 0);
      Embeddable.bestInside(PHASES, part).write(phase);
    }
    return program.schedule();
  }

  private static Shape part(Shape shape, int ranks, int root) {
    return Shape.broadcast(ranks, root, shape.count(), shape.elementBytes())
        .withSegmentBytes(shape.segmentBytes());
  }

  @Override
  public Cost cost(Shape shape) {
    Layout layout = shape.layout();
    Shape between = part(shape, layout.nodes(), 0);
    Shape inside = part(shape, layout.mostLocalSize(), 0);
    return Embeddable.best(PHASES, between)
        .cost(between)
        .plus(Embeddable.bestInside(PHASES, inside).cost(inside).inside());
  }

  @Override
  public int linkSharers(Layout layout) {
    return 1;
  }

  @Override
  public double idleLinks(Shape shape) {
    Shape between = part(shape, shape.layout().nodes(), 0);
    return Embeddable.best(PHASES, between).idleLinks(between);
  }
}
