package io.jgloo.collectives.scatter;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.Space;
import io.jgloo.collectives.pattern.SplitTree;

/**
 * Binomial tree scatter: a rank gets the blocks of its subtree as one message and sends each branch
 * its part; the fewest steps, for small blocks.
 *
 * <p>The tree gather backwards ({@link SplitTree}).
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
    Range subtree = blocks.parts(tree.first(), tree.end());
    boolean root = tree.parent() < 0;
    boolean leaf = tree.branches().isEmpty();
    if (!root) {
      program.recv(tree.parent(), leaf ? program.result(own) : passed(subtree, subtree));
    }
    for (SplitTree.Branch branch : tree.branches()) {
      Range range = blocks.parts(branch.head(), branch.end());
      program.send(branch.head(), root ? program.own(range) : passed(range, subtree));
    }
    if (root) {
      program.copyOwn(own);
    } else if (!leaf) {
      program.copy(program.result(own), passed(own, subtree));
    }
    return program.schedule();
  }

  private static Range passed(Range range, Range subtree) {
    return range.in(Space.SCRATCH).moved(-subtree.offset());
  }

  @Override
  public Cost cost(Shape shape) {
    return SplitTree.costOfBlocks(shape);
  }
}
