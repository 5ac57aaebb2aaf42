package io.jgloo.collectives.gather;

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
 * Binomial tree gather: a rank collects the blocks of its subtree and sends them up as one message;
 * the fewest steps, for small blocks.
 *
 * <p>Subtrees are intervals of ranks ({@link SplitTree}), so what is collected lies together
 * whichever rank is the root, and the root receives it where it belongs.
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
    Range own = program.own(blocks.part(rank));
    Range subtree = blocks.parts(tree.first(), tree.end());
    boolean root = tree.parent() < 0;
    for (int i = tree.branches().size() - 1; i >= 0; i--) {
      SplitTree.Branch branch = tree.branches().get(i);
      Range range = blocks.parts(branch.head(), branch.end());
      program.recv(branch.head(), root ? program.result(range) : collected(range, subtree));
    }
    if (root) {
      program.copyOwn(blocks.part(rank));
    } else if (tree.branches().isEmpty()) {
      program.send(tree.parent(), own);
    } else {
      program.copy(collected(blocks.part(rank), subtree), own);
      program.send(tree.parent(), collected(subtree, subtree));
    }
    return program.schedule();
  }

  private static Range collected(Range range, Range subtree) {
    return range.in(Space.SCRATCH).moved(-subtree.offset());
  }

  @Override
  public Cost cost(Shape shape) {
    return SplitTree.costOfBlocks(shape);
  }
}
