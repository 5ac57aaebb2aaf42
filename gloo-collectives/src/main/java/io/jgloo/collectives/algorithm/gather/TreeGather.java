package io.jgloo.collectives.algorithm.gather;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.SplitTree;
import java.util.function.UnaryOperator;

/**
 * Binomial tree gather: a rank collects the blocks of its subtree and sends them up as one message;
 * the fewest steps, for small blocks.
 *
 * <p>Subtrees are intervals of ranks ({@link SplitTree}), so what is collected lies together
 * whichever rank is the root, and the root receives it where it belongs.
 *
 * <p>Drawn: gather tree, 5 ranks, 5 elements.
 *
 * <pre>{@code
 *           rank 0   rank 1   rank 2   rank 3   rank 4
 * round 1   b<1      b>0               e<4      e>3
 * round 2   c<2               c>0
 * round 3   de<3                       de>0
 * }</pre>
 *
 * @param collective gather or gatherv
 */
public record TreeGather(Collective collective) implements Algorithm {
  @Override
  public String name() {
    return "tree";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    Partition blocks = Partition.chunks(shape);
    SplitTree tree = SplitTree.of(shape.size(), shape.root(), rank);
    Range own = blocks.part(rank);
    if (tree.isRoot()) {
      program.copyOwn(own);
      tree.gather(program, blocks, program::result);
    } else if (tree.isLeaf()) {
      tree.gather(program, blocks, program::own);
    } else {
      long start = tree.subtree(blocks).offset();
      UnaryOperator<Range> held = range -> range.in(Space.SCRATCH).moved(-start);
      program.copy(held.apply(own), program.own(own));
      tree.gather(program, blocks, held);
    }
    return program.schedule();
  }

  @Override
  public Cost cost(Shape shape) {
    return SplitTree.costOfBlocks(shape, true);
  }
}
