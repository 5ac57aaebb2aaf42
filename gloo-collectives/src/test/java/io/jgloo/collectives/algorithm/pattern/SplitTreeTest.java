package io.jgloo.collectives.algorithm.pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Subtrees are intervals, parents and children agree, and the tree is as flat as it can be. */
@Timeout(30)
class SplitTreeTest {
  static IntStream sizes() {
    return IntStream.rangeClosed(1, 40);
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void everyRankIsRoot(int size) {
    for (int root = 0; root < size; root++) {
      List<SplitTree> trees = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        trees.add(SplitTree.of(size, root, rank));
      }
      for (int rank = 0; rank < size; rank++) {
        check(trees, root, rank);
      }
      assertTrue(rounds(trees, root) <= depth(size), size + " ranks below " + root);
    }
  }

  private static void check(List<SplitTree> trees, int root, int rank) {
    SplitTree tree = trees.get(rank);
    String where = "rank " + rank + " of " + trees.size() + " below " + root + ": " + tree;
    assertEquals(rank == root, tree.isRoot(), where);
    assertEquals(rank == root ? 0 : rank, tree.first(), where);
    int covered = 1;
    for (SplitTree.Branch branch : tree.branches()) {
      assertEquals(rank, trees.get(branch.head()).parent(), where);
      assertEquals(branch.end(), trees.get(branch.head()).end(), where);
      covered += branch.ranks();
    }
    assertEquals(tree.end() - tree.first(), covered, where);
    assertTrue(tree.branches().size() <= depth(trees.size()), where);
  }

  /** How many rounds it takes to collect from a rank's subtree, the nearest branch first. */
  private static int rounds(List<SplitTree> trees, int rank) {
    List<SplitTree.Branch> branches = trees.get(rank).branches();
    int rounds = 0;
    for (int i = branches.size() - 1; i >= 0; i--) {
      rounds = Math.max(rounds, rounds(trees, branches.get(i).head())) + 1;
    }
    return rounds;
  }

  /** How many rounds it takes at least to collect from so many ranks. */
  private static int depth(int ranks) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(ranks - 1);
  }
}
