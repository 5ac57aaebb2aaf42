package io.jgloo.collectives.pattern;

import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Shape;
import java.util.ArrayList;
import java.util.List;

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

  /**
   * What it costs to move blocks up or down the tree: each level half of those of the level before.
   */
  public static Cost costOfBlocks(Shape shape) {
    if (shape.size() == 1 || shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    long block = Partition.chunks(shape).longest();
    long messages = 0;
    for (int width = shape.size(); width > 1; width -= width / 2) {
      messages += shape.messages(width / 2 * block);
    }
    long bytes = (shape.size() - 1) * block;
    return new Cost(shape.doublings(), messages, bytes, bytes, 0);
  }
}
