package io.jgloo.collectives;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The hosts of the ranks. The ranks of one host are a node; nodes are numbered in the order of
 * their lowest ranks, and the members of a node are in ascending order.
 *
 * <p>All ranks of a group have equal layouts, as they read the hosts in the same addresses.
 *
 * <p><em>Threads</em>: any; immutable.
 */
public final class Layout {
  private final int size;
  private final int[] node; // null if there is one node, as are the next two
  private final int[] index;
  private final int[][] members;

  private Layout(int size, int[] node, int[] index, int[][] members) {
    this.size = size;
    this.node = node;
    this.index = index;
    this.members = members;
  }

  /** All of {@code size} ranks on one host. */
  @SuppressWarnings("NullAway") // the arrays are used if there are several nodes
  public static Layout oneNode(int size) {
    Shape.check(size >= 1, "size", size);
    return new Layout(size, null, null, null);
  }

  /** The layout of ranks whose hosts have these names, by rank. */
  public static Layout of(List<String> hosts) {
    Layout one = oneNode(hosts.size());
    Map<String, List<Integer>> ranks = new HashMap<>();
    List<List<Integer>> nodes = new ArrayList<>();
    int[] node = new int[one.size];
    int[] index = new int[one.size];
    for (int rank = 0; rank < one.size; rank++) {
      List<Integer> same = ranks.computeIfAbsent(hosts.get(rank), host -> new ArrayList<>());
      if (same.isEmpty()) {
        node[rank] = nodes.size();
        nodes.add(same);
      } else {
        node[rank] = node[same.get(0)];
      }
      index[rank] = same.size();
      same.add(rank);
    }
    if (nodes.size() == 1) {
      return one;
    }
    int[][] members = new int[nodes.size()][];
    for (int i = 0; i < members.length; i++) {
      members[i] = nodes.get(i).stream().mapToInt(Integer::intValue).toArray();
    }
    return new Layout(one.size, node, index, members);
  }

  /** Number of ranks. */
  public int size() {
    return size;
  }

  /** Number of nodes. */
  public int nodes() {
    return node == null ? 1 : members.length;
  }

  /** The node of a rank. */
  public int node(int rank) {
    return node == null ? 0 : node[rank];
  }

  /** How many lower ranks are on the node of a rank: its place among the members. */
  public int localIndex(int rank) {
    return node == null ? rank : index[rank];
  }

  /** Number of ranks on a node. */
  public int localSize(int node) {
    return this.node == null ? size : members[node].length;
  }

  /** The rank at a place among the members of a node. */
  public int member(int node, int localIndex) {
    return this.node == null ? localIndex : members[node][localIndex];
  }

  /** The ranks of a node in ascending order. */
  public List<Integer> members(int node) {
    return IntStream.range(0, localSize(node)).mapToObj(place -> member(node, place)).toList();
  }

  /** Number of ranks on the smallest node. */
  public int leastLocalSize() {
    return node == null ? size : Arrays.stream(members).mapToInt(of -> of.length).min().orElse(0);
  }

  /** Number of ranks on the largest node. */
  public int mostLocalSize() {
    return node == null ? size : Arrays.stream(members).mapToInt(of -> of.length).max().orElse(0);
  }

  /**
   * How many ranks of a node have their successor, as in a ring, on another node: of the node where
   * they are most.
   */
  public int mostCrossings() {
    int[] crossings = new int[nodes()];
    for (int rank = 0; rank < size; rank++) {
      crossings[node(rank)] += node(rank) == node((rank + 1) % size) ? 0 : 1;
    }
    return Arrays.stream(crossings).max().orElse(0);
  }

  /** Whether several ranks are on one node, and others are on another. */
  public boolean hasTiers() {
    return nodes() > 1 && nodes() < size;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Layout that && size == that.size && Arrays.equals(node, that.node);
  }

  @Override
  public int hashCode() {
    return 31 * size + Arrays.hashCode(node);
  }

  /** As in {@code 3 nodes of 4, 4, 2 ranks}. */
  @Override
  public String toString() {
    if (nodes() == 1) {
      return "1 node of " + size + " ranks";
    }
    if (nodes() == size) {
      return size + " nodes of 1 rank";
    }
    StringBuilder sizes = new StringBuilder();
    for (int i = 0; i < Math.min(16, nodes()); i++) {
      sizes.append(i == 0 ? "" : ", ").append(localSize(i));
    }
    return nodes() + " nodes of " + sizes + (nodes() > 16 ? ", ..." : "") + " ranks";
  }
}
