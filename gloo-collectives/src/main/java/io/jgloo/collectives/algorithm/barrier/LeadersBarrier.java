package io.jgloo.collectives.algorithm.barrier;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
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
    up(local, view.localSize(), local.rank());
    if (view.index() == 0) {
      Program leaders = among(program, view.owners(0));
      new DisseminationBarrier().write(leaders, leaders.shape(), leaders.rank());
    }
    down(local, view.localSize(), local.rank());
    return program.schedule();
  }

  /** Tells the first rank of a host, by messages up a binomial tree, that all have entered. */
  private static void up(Program program, int size, int rank) {
    int parent = parentDistance(size, rank);
    for (int far = 1; far < parent && rank + far < size; far *= 2) {
      program.await(rank + far);
    }
    if (rank != 0) {
      program.signal(rank - parent);
    }
  }

  /** Releases all ranks of a host, down the same tree. */
  private static void down(Program program, int size, int rank) {
    int parent = parentDistance(size, rank);
    if (rank != 0) {
      program.await(rank - parent);
    }
    for (int far = Integer.highestOneBit(size); far >= 1; far /= 2) {
      if (far < parent && rank + far < size) {
        program.signal(rank + far);
      }
    }
  }

  private static int parentDistance(int size, int rank) {
    return rank == 0 ? size : Integer.lowestOneBit(rank);
  }

  private static Program among(Program program, List<Integer> ranks) {
    return program.within(Shape.barrier(ranks.size()), ranks, NOTHING, NOTHING, 0);
  }

  @Override
  public Cost cost(Shape shape) {
    Layout layout = shape.layout();
    long rounds = Shape.barrier(layout.mostLocalSize()).doublings();
    Cost local = new Cost(2 * rounds, rounds, 0, 0, 0);
    return local.inside().plus(new DisseminationBarrier().cost(Shape.barrier(layout.nodes())));
  }
}
