package io.jgloo.collectives.algorithm.scatter;

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
 * Binomial tree scatter: a rank gets the blocks of its subtree as one message and sends each branch
 * its part; the fewest steps, for small blocks.
 *
 * <p>The tree gather backwards ({@link SplitTree}).
 *
 * <p>Drawn: scatter tree, 5 ranks, 5 elements.
 *
 * <pre>{@code
 *           rank 0   rank 1   rank 2   rank 3   rank 4
 * round 1   de>3                       de<0
 * round 2   c>2               c<0      e>4      e<3
 * round 3   b>1      b<0
 * }</pre>
 *
 * @param collective scatter or scatterv
 */
public record TreeScatter(Collective collective) implements Algorithm {
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
      tree.scatter(program, blocks, program::own);
      program.copyOwn(own);
    } else if (tree.isLeaf()) {
      tree.scatter(program, blocks, program::result);
    } else {
      long start = tree.subtree(blocks).offset();
      UnaryOperator<Range> held = range -> range.in(Space.SCRATCH).moved(-start);
      tree.scatter(program, blocks, held);
      program.copy(program.result(own), held.apply(own));
    }
    return program.schedule();
  }

  @Override
  public Cost cost(Shape shape) {
    return SplitTree.costOfBlocks(shape, false);
  }
}
