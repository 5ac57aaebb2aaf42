package io.jgloo.rpc.rref.protocol;

import java.util.Arrays;

/**
 * An immutable set of numbers that is small when the numbers are dense.
 *
 * <p>A trie of 64-way nodes in which a full subtree is one bit. If all numbers below n are in it
 * but k, it has at most k times log64(n) nodes: a watermark with gaps, but an insertion takes O(log
 * n) also with many gaps.
 */
public final class NumberSet {

  /** Holds no number. */
  public static final NumberSet EMPTY = new NumberSet(new Node(0, 0, new Node[0]), 0);

  /** full: subtrees all of whose numbers are in the set. part: subtrees that have a node. */
  private static final class Node {
    final long full;
    final long part;
    final Node[] kids;

    Node(long full, long part, Node[] kids) {
      this.full = full;
      this.part = part;
      this.kids = kids;
    }

    Node kid(int index) {
      return (part >>> index & 1) == 0 ? EMPTY.root : kids[position(index)];
    }

    private int position(int index) {
      return Long.bitCount(part & ((1L << index) - 1));
    }

    Node withKid(int index, Node kid) {
      boolean present = (part >>> index & 1) != 0;
      int at = position(index);
      if (kid.full == -1) {
        Node[] fewer = kids;
        if (present) {
          fewer = new Node[kids.length - 1];
          System.arraycopy(kids, 0, fewer, 0, at);
          System.arraycopy(kids, at + 1, fewer, at, fewer.length - at);
        }
        return new Node(full | 1L << index, part & ~(1L << index), fewer);
      }
      Node[] more = Arrays.copyOf(kids, present ? kids.length : kids.length + 1);
      if (!present) {
        System.arraycopy(kids, at, more, at + 1, kids.length - at);
      }
      more[at] = kid;
      return new Node(full, part | 1L << index, more);
    }

    int nodes() {
      int sum = 1;
      for (Node kid : kids) {
        sum += kid.nodes();
      }
      return sum;
    }

    @Override
    public boolean equals(Object other) {
      return this == other
          || (other instanceof Node that
              && full == that.full
              && part == that.part
              && Arrays.equals(kids, that.kids));
    }

    @Override
    public int hashCode() {
      return (Long.hashCode(full) * 31 + Long.hashCode(part)) * 31 + Arrays.hashCode(kids);
    }
  }

  /** The level whose nodes hold all positive longs. */
  private static final int TOP = 10;

  private final Node root;

  /** Of the root; a node of level n has 64^n numbers below each bit. */
  private final int level;

  private NumberSet(Node root, int level) {
    this.root = root;
    this.level = level;
  }

  /** Whether the number, which must not be negative, is in the set. */
  public boolean contains(long number) {
    if (number < 0 || (level < TOP && number >>> (6 * level) > 63)) {
      return false;
    }
    Node node = root;
    for (int at = level; ; at--) {
      int index = (int) (number >>> (6 * at) & 63);
      if ((node.full >>> index & 1) != 0) {
        return true;
      }
      if (at == 0) {
        return false;
      }
      node = node.kid(index);
    }
  }

  /** Returns the set with one more number, which must not be negative. */
  public NumberSet with(long number) {
    Node top = root;
    int height = level;
    while (height < TOP && number >>> (6 * height) > 63) {
      boolean empty = top.full == 0 && top.part == 0;
      top = empty ? top : EMPTY.root.withKid(0, top);
      height++;
    }
    return new NumberSet(add(top, height, number), height);
  }

  private static Node add(Node node, int at, long number) {
    int index = (int) (number >>> (6 * at) & 63);
    if ((node.full >>> index & 1) != 0) {
      return node;
    }
    if (at == 0) {
      return new Node(node.full | 1L << index, node.part, node.kids);
    }
    return node.withKid(index, add(node.kid(index), at - 1, number));
  }

  /** Returns how many nodes the set has: a measure of its memory. */
  public int nodes() {
    return root.nodes();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NumberSet that && level == that.level && root.equals(that.root);
  }

  @Override
  public int hashCode() {
    return root.hashCode() * 31 + level;
  }
}
