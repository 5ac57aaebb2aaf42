package io.jgloo.transport.engine;

import java.util.function.Consumer;

/**
 * Nodes in order, linked through themselves: what waits in a device is added, searched and taken
 * out without allocation.
 *
 * <p>A node is in one chain at a time, and its place in it is its own. Searches go from the front;
 * what matches is near it.
 *
 * <p><i>Threads</i>: one at a time.
 *
 * @param <N> the kind of node
 */
public class Chain<N extends Chain.Node<N>> {

  /** What can be in a chain; both methods are the chain's. */
  public interface Node<N> {
    /** The next node of the chain, or null. */
    N next();

    /** Takes down which node is the next. */
    void next(N node);
  }

  /**
   * A node that need not extend anything else.
   *
   * @param <N> itself
   */
  public abstract static class Linked<N> implements Node<N> {
    private N next;

    protected Linked() {}

    @Override
    public final N next() {
      return next;
    }

    @Override
    public final void next(N node) {
      next = node;
    }
  }

  private N first;
  private N last;

  /** An empty one. */
  public Chain() {}

  /** Whether there is no node. */
  public final boolean isEmpty() {
    return first == null;
  }

  /** The first node, left in place, or null. */
  public final N first() {
    return first;
  }

  /** Adds a node at the end. */
  public final void add(N node) {
    node.next(null);
    if (last == null) {
      first = node;
    } else {
      last.next(node);
    }
    last = node;
  }

  /** Adds a node at the front. */
  public final void addFirst(N node) {
    node.next(first);
    first = node;
    if (last == null) {
      last = node;
    }
  }

  /** Takes out the first node, or null. */
  public final N poll() {
    N node = first;
    if (node != null) {
      unlink(null, node);
    }
    return node;
  }

  /** Takes a node out; false if it is not here. */
  public final boolean remove(N node) {
    N before = null;
    for (N at = first; at != null; before = at, at = at.next()) {
      if (at == node) {
        unlink(before, at);
        return true;
      }
    }
    return false;
  }

  /** Empties the chain into an action that may put each node into another one. */
  public final void drain(Consumer<? super N> action) {
    for (N node = poll(); node != null; node = poll()) {
      action.accept(node);
    }
  }

  private void unlink(N before, N node) {
    if (before == null) {
      first = node.next();
    } else {
      before.next(node.next());
    }
    if (last == node) {
      last = before;
    }
    node.next(null);
  }
}
