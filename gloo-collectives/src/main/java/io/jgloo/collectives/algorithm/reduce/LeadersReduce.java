package io.jgloo.collectives.algorithm.reduce;

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
 * Leaders reduce: the ranks of each host reduce to one of them, and these leaders to the root.
 *
 * <p>Both phases are the best of the flat reductions for the number of ranks and bytes; segments
 * follow each other through both. The vector leaves each host once. Leaders other than the root
 * need scratch memory as large as the vector.
 *
 * <p>Drawn: reduce leaders, 4 ranks on 2 hosts, 1 elements.
 *
 * <pre>{@code
 *           rank 0   rank 1   rank 2   rank 3
 * round 1   +a<1     a>0      +a<3     a>2
 * round 2   +a<2              a>0
 * }</pre>
 */
public record LeadersReduce() implements Algorithm {
  private static final List<Embeddable> PHASES = List.of(new TreeReduce(), new DoubleTreeReduce());

  @Override
  public Collective collective() {
    return Collective.REDUCE;
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
    Range own = program.own(all);
    int leader = view.leader(view.node(), shape.root());
    long scratch = (shape.bytes() + 63) / 64 * 64;
    Range place = rank == shape.root() ? program.result(all) : all.in(Space.SCRATCH);
    if (view.localSize() > 1 || layout.nodes() == 1) {
      Shape part = part(shape, view.localSize(), layout.localIndex(leader));
      Range end = rank == leader ? place : own;
      Program phase = program.within(part, view.members(), own, end, scratch);
      Embeddable.bestInside(PHASES, part).write(phase);
      own = place;
    }
    if (layout.nodes() > 1 && rank == leader) {
      List<Integer> leaders = view.acrossNodes(node -> view.leader(node, shape.root()));
      Shape part = part(shape, layout.nodes(), layout.node(shape.root()));
      Range end = rank == shape.root() ? place : own;
      Program phase = program.within(part, leaders, own, end, scratch);
      Embeddable.best(PHASES, part).write(phase);
    }
    return program.schedule();
  }

  private static Shape part(Shape shape, int ranks, int root) {
    return Shape.reduce(ranks, root, shape.count(), shape.elementBytes())
        .withSegmentBytes(shape.segmentBytes());
  }

  @Override
  public Cost cost(Shape shape) {
    Layout layout = shape.layout();
    Shape between = part(shape, layout.nodes(), 0);
    Shape inside = part(shape, layout.mostLocalSize(), 0);
    return Embeddable.bestInside(PHASES, inside)
        .cost(inside)
        .inside()
        .plus(Embeddable.best(PHASES, between).cost(between));
  }

  @Override
  public int linkSharers(Layout layout) {
    return 1;
  }
}
