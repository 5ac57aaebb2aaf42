package io.jgloo.collectives.algorithm.barrier;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.Space;
import io.jgloo.collectives.algorithm.pattern.NodeView;
import java.util.List;

/**
 * Leaders barrier: a tree on each host tells its first rank that all have entered, these leaders do
 * a dissemination barrier, then the trees release the others.
 *
 * <p>Drawn: barrier leaders, 4 ranks on 2 hosts, 0 elements.
 *
 * <pre>{@code
 *           rank 0   rank 1   rank 2   rank 3
 * round 1   <1       >0       <3       >2
 * round 2   >2 <2             >0 <0
 * round 3   >1       <0       >3       <2
 * }</pre>
 */
public record LeadersBarrier() implements Algorithm {
  private static final Range NOTHING = new Range(Space.OUTPUT, 0, 0);

  @Override
  public Collective collective() {
    return Collective.BARRIER;
  }

  @Override
  public String name() {
    return "leaders";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    NodeView view = new NodeView(shape, rank);
    Program local = among(program, view.members());
    TreeBarrier.up(local, view.localSize(), local.rank());
    if (view.index() == 0) {
      Program leaders = among(program, view.owners(0));
      new DisseminationBarrier().write(leaders, leaders.shape(), leaders.rank());
    }
    TreeBarrier.down(local, view.localSize(), local.rank());
    return program.schedule();
  }

  private static Program among(Program program, List<Integer> ranks) {
    return program.within(Shape.barrier(ranks.size()), ranks, NOTHING, NOTHING, 0);
  }

  @Override
  public Cost cost(Shape shape) {
    Layout layout = shape.layout();
    Cost local = new TreeBarrier().cost(Shape.barrier(layout.mostLocalSize()));
    return local.inside().plus(new DisseminationBarrier().cost(Shape.barrier(layout.nodes())));
  }
}
