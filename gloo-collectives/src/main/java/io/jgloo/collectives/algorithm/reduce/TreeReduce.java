package io.jgloo.collectives.algorithm.reduce;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Program.Order;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.Embeddable;
import io.jgloo.collectives.algorithm.pattern.SplitTree;

/**
 * Binomial tree reduce: ranks send what they and their subtrees have reduced to their parent; the
 * fewest steps, for small vectors.
 *
 * <p>ceil(log2(P)) steps of S bytes. Subtrees are intervals of ranks ({@link SplitTree}), and a
 * rank takes in the nearest first, so operands stand in the order of ranks whichever rank is the
 * root. Segments follow each other up the tree, at most {@value #SEGMENTS_IN_FLIGHT} at a rank,
 * which bounds the scratch memory of those that are not the root.
 *
 * <p>Drawn: reduce tree, 5 ranks, 1 elements.
 *
 * <pre>{@code
 *           rank 0   rank 1   rank 2   rank 3   rank 4
 * round 1   +a<1     a>0               +a<4     a>3
 * round 2   +a<2              a>0
 * round 3   +a<3                       a>0
 * }</pre>
 */
public record TreeReduce() implements Embeddable {
  private static final int SEGMENTS_IN_FLIGHT = 4;

  @Override
  public Collective collective() {
    return Collective.REDUCE;
  }

  @Override
  public String name() {
    return "tree";
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public void write(Program program, Shape shape, int rank) {
    SplitTree tree = SplitTree.of(shape.size(), shape.root(), rank);
    Partition segments = Partition.segments(shape);
    for (int segment = 0; segment < segments.parts(); segment++) {
      Range range = segments.part(segment);
      long slot = (segments.longest() + 63) / 64 * 64 * (segment % SEGMENTS_IN_FLIGHT);
      Range place =
          tree.parent() < 0
              ? program.result(range)
              : new Range(Space.SCRATCH, slot, range.length());
      if (tree.branches().isEmpty()) {
        place = program.own(range);
      }
      reduce(program, tree, rank, range, place);
      if (tree.parent() >= 0) {
        program.send(tree.parent(), place);
      } else if (tree.branches().isEmpty()) {
        program.copyOwn(range);
      }
    }
  }

  private static void reduce(Program program, SplitTree tree, int rank, Range range, Range place) {
    int last = tree.branches().size() - 1;
    for (int i = last; i >= 0; i--) {
      int child = tree.branches().get(i).head();
      Order order = child > rank ? Order.TARGET_FIRST : Order.SOURCE_FIRST;
      if (i == last) {
        program.recvReduceOwn(child, range, place, order);
      } else {
        program.recvReduce(child, place, order);
      }
    }
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    long rounds = shape.doublings();
    return new Cost(
        rounds,
        Partition.segments(shape).parts(),
        shape.bytes(),
        rounds * shape.bytes(),
        rounds * shape.bytes());
  }
}
