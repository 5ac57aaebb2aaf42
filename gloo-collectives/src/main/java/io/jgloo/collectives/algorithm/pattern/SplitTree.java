package io.jgloo.collectives.algorithm.pattern;

import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A binomial tree with any rank as its root in which every subtree is an interval of ranks: so
 * operands can be reduced in the order of ranks, and the blocks of a subtree lie together.
 *
 * <p>An interval is cut in two halves. One holds its head, the other gets its first rank for a
 * head, which is a child of the former; and so on in both. ceil(log2(P)) levels, as a tree that
 * counts ranks from the root, whose subtrees wrap round the last rank.
 *
 * @param parent the rank above, or -1 for the root
 * @param first first rank of this rank's subtree
 * @param end one past the last rank of this rank's subtree
 * @param branches the subtrees below, the largest first
 */
public record SplitTree(int parent, int first, int end, List<Branch> branches) {
  /**
   * A subtree below a rank.
   *
   * @param head the child, its first rank
   * @param end one past its last rank
   */
  public record Branch(int head, int end) {
    /** How many ranks it has. */
    public int ranks() {
      return end - head;
    }
  }

  /** The tree over ranks 0 up to {@code size}, as one rank sees it. */
  public static SplitTree of(int size, int root, int rank) {
    int first = 0;
    int end = size;
    int head = root;
    SplitTree tree = new SplitTree(-1, 0, size, List.of());
    List<Branch> branches = new ArrayList<>();
    while (end - first > 1) {
      int middle = first + (end - first + 1) / 2;
      boolean low = head < middle;
      Branch other = low ? new Branch(middle, end) : new Branch(first, middle);
      if (rank >= other.head && rank < other.end) {
        tree = new SplitTree(head, other.head, other.end, List.of());
        branches.clear(); // they were another's
        head = other.head;
        low = !low;
      } else {
        branches.add(other);
      }
      first = low ? first : middle;
      end = low ? middle : end;
    }
    return new SplitTree(tree.parent, tree.first, tree.end, List.copyOf(branches));
  }

  /** Whether this rank is the root. */
  public boolean isRoot() {
    return parent < 0;
  }

  /** Whether no rank is below this one. */
  public boolean isLeaf() {
    return branches.isEmpty();
  }

  /** The blocks of this rank's subtree. */
  public Range subtree(Partition blocks) {
    return blocks.parts(first, end);
  }

  /**
   * Collects the blocks of the subtree, this rank's own being there already, and sends them up.
   *
   * @param held where this rank holds a range of them
   */
  public void gather(Program program, Partition blocks, UnaryOperator<Range> held) {
    for (int i = branches.size() - 1; i >= 0; i--) { // the smallest are complete first
      Branch branch = branches.get(i);
      program.recv(branch.head, held.apply(blocks.parts(branch.head, branch.end)));
    }
    if (!isRoot()) {
      program.send(parent, held.apply(subtree(blocks)));
    }
  }

  /**
   * Gets the blocks of the subtree from above and sends each branch its part.
   *
   * @param held where this rank holds a range of them
   */
  public void scatter(Program program, Partition blocks, UnaryOperator<Range> held) {
    if (!isRoot()) {
      program.recv(parent, held.apply(subtree(blocks)));
    }
    for (Branch branch : branches) {
      program.send(branch.head, held.apply(blocks.parts(branch.head, branch.end)));
    }
  }

  /**
   * What it costs to move blocks up or down the tree; each level has half of those of the level
   * before. Blocks that are passed on go through memory once more, as if they were reduced.
   */
  public static Cost costOfBlocks(Shape shape, boolean up) {
    if (shape.size() == 1 || shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    long block = Partition.chunks(shape).longest();
    long messages = 0;
    long largest = 0;
    for (Branch branch : of(shape.size(), shape.root(), shape.root()).branches) {
      messages += shape.messages(branch.ranks() * block);
      largest = Math.max(largest, branch.ranks());
    }
    long all = (shape.size() - 1L) * block;
    long sent = largest * block;
    long passed = sent - block;
    return up
        ? new Cost(shape.doublings(), shape.messages(sent), sent, all, passed)
        : new Cost(shape.doublings(), messages, all, all, passed);
  }
}
