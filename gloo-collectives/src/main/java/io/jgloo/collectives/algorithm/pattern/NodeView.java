package io.jgloo.collectives.algorithm.pattern;

import io.jgloo.collectives.Layout;
import io.jgloo.collectives.Shape;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * The nodes of a layout as one rank sees them.
 *
 * <p>Every node has as many <em>columns</em> as the smallest node has ranks. The first members of a
 * node are the owners of its columns, one of each; member i belongs to column i modulo the columns.
 *
 * @param layout of the ranks
 * @param rank that sees it
 */
public record NodeView(Layout layout, int rank) {
  /** The view of a rank of a shape. */
  public NodeView(Shape shape, int rank) {
    this(shape.layout(), rank);
  }

  /** The node of this rank. */
  public int node() {
    return layout.node(rank);
  }

  /** This rank's place on its node. */
  public int index() {
    return layout.localIndex(rank);
  }

  /** The ranks of this node. */
  public List<Integer> members() {
    return layout.members(node());
  }

  /** The rank of this node that is so many places further, round the last one. */
  public int member(int far) {
    return layout.member(node(), Math.floorMod(index() + far, localSize()));
  }

  /** Number of ranks of this node. */
  public int localSize() {
    return layout.localSize(node());
  }

  /** Number of columns. */
  public int columns() {
    return layout.leastLocalSize();
  }

  /** Whether this rank owns a column. */
  public boolean isOwner() {
    return index() < columns();
  }

  /** One rank of each node. */
  public List<Integer> acrossNodes(IntUnaryOperator rankOfNode) {
    return IntStream.range(0, layout.nodes()).map(rankOfNode).boxed().toList();
  }

  /** The owners of a column, by node. */
  public List<Integer> owners(int column) {
    return acrossNodes(node -> layout.member(node, column));
  }

  /** The rank that speaks for a node: the root of its own, else the first. */
  public int leader(int node, int root) {
    return node == layout.node(root) ? root : layout.member(node, 0);
  }

  /** The ranks of a node that belong to a column. */
  public List<Integer> ofColumn(int node, int column) {
    List<Integer> all = layout.members(node);
    return IntStream.range(0, all.size())
        .filter(place -> place % columns() == column)
        .mapToObj(all::get)
        .toList();
  }

  /** The most ranks that a column has on one node. */
  public static long mostOfColumn(Layout layout) {
    int columns = layout.leastLocalSize();
    return (layout.mostLocalSize() + columns - 1L) / columns;
  }
}
