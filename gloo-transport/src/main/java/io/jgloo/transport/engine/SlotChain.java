package io.jgloo.transport.engine;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Nodes in order, found by their slot in constant time and without allocation: a peer chooses the
 * slots, and how many there are.
 *
 * <p>Nodes of one slot keep their order. The table grows with the number of nodes, and its hash
 * differs from chain to chain, so a peer cannot choose slots that collide.
 *
 * <p><i>Threads</i>: one at a time.
 *
 * @param <N> the kind of node
 */
public class SlotChain<N extends SlotChain.Node> implements Iterable<N> {

  /** What can be in a chain; its slot stays the same while it is. */
  public interface Node {
    /** The slot it is found by. */
    long slot();
  }

  /**
   * Where a node is in a chain; reused as soon as the node is taken out.
   *
   * @param <N> the kind of node
   */
  public static final class Place<N extends Node> {
    private N node;
    private long slot;
    private Place<N> before;
    private Place<N> behind;
    private Place<N> inBucket;

    private Place() {}

    /** The node. */
    public N node() {
      return node;
    }

    /** The place of the next node of the same slot, or null. */
    public Place<N> next() {
      Place<N> at = inBucket;
      while (at != null && at.slot != slot) {
        at = at.inBucket;
      }
      return at;
    }
  }

  private static final int SMALLEST_TABLE = 8;
  private static final int LARGEST_TABLE = 1 << 28;

  private final long multiplier = new SplittableRandom().nextLong() | 1;
  private Place<N>[] heads = newTable(SMALLEST_TABLE);
  private Place<N>[] tails = newTable(SMALLEST_TABLE);
  private Place<N> first;
  private Place<N> last;
  private Place<N> free;
  private int count;

  /** An empty one. */
  public SlotChain() {}

  /** Whether there is no node. */
  public final boolean isEmpty() {
    return first == null;
  }

  /** The first node, left in place, or null. */
  public final N first() {
    return first == null ? null : first.node;
  }

  /** The first node of a slot, left in place, or null. */
  public final N find(long slot) {
    Place<N> at = at(slot);
    return at == null ? null : at.node;
  }

  /** The place of the first node of a slot, or null. */
  public final Place<N> at(long slot) {
    Place<N> at = heads[bucket(slot)];
    while (at != null && at.slot != slot) {
      at = at.inBucket;
    }
    return at;
  }

  /** Adds a node at the end. */
  public final void add(N node) {
    addBefore(null, node);
  }

  /** Adds a node at the front. */
  public final void addFirst(N node) {
    Place<N> place = newPlace(node);
    link(place, first);
    int bucket = bucket(place.slot);
    place.inBucket = heads[bucket];
    heads[bucket] = place;
    if (tails[bucket] == null) {
      tails[bucket] = place;
    }
  }

  /** Adds a node before another one of its slot; before null: at the end. */
  public final void addBefore(Place<N> other, N node) {
    Place<N> place = newPlace(node);
    link(place, other);
    int bucket = bucket(place.slot);
    Place<N> previous = other == null ? tails[bucket] : previousInBucket(bucket, other);
    place.inBucket = other;
    if (previous == null) {
      heads[bucket] = place;
    } else {
      previous.inBucket = place;
    }
    if (other == null) {
      tails[bucket] = place;
    }
  }

  /** Takes out the first node, or null. */
  public final N poll() {
    N node = first();
    if (node != null) {
      remove(node);
    }
    return node;
  }

  /** Takes a node out; false if it is not here. */
  public final boolean remove(N node) {
    int bucket = bucket(node.slot());
    Place<N> previous = null;
    Place<N> at = heads[bucket];
    while (at != null && at.node != node) {
      previous = at;
      at = at.inBucket;
    }
    if (at == null) {
      return false;
    }
    if (previous == null) {
      heads[bucket] = at.inBucket;
    } else {
      previous.inBucket = at.inBucket;
    }
    if (tails[bucket] == at) {
      tails[bucket] = previous;
    }
    unlink(at);
    return true;
  }

  /** Empties the chain into an action that may put each node elsewhere. */
  public final void drain(Consumer<? super N> action) {
    for (N node = poll(); node != null; node = poll()) {
      action.accept(node);
    }
  }

  /** The nodes in order; the chain must not change meanwhile. */
  @Override
  public final Iterator<N> iterator() {
    return new Iterator<>() {
      private Place<N> next = first;

      @Override
      public boolean hasNext() {
        return next != null;
      }

      @Override
      public N next() {
        if (next == null) {
          throw new NoSuchElementException();
        }
        N node = next.node;
        next = next.behind;
        return node;
      }
    };
  }

  private int bucket(long slot) {
    int bits = Integer.numberOfTrailingZeros(heads.length);
    return (int) ((slot * multiplier) >>> (Long.SIZE - bits));
  }

  private Place<N> previousInBucket(int bucket, Place<N> place) {
    Place<N> previous = null;
    for (Place<N> at = heads[bucket]; at != place; at = at.inBucket) {
      previous = at;
    }
    return previous;
  }

  private Place<N> newPlace(N node) {
    if (count == heads.length && count < LARGEST_TABLE) {
      grow();
    }
    count++;
    Place<N> place = free;
    if (place == null) {
      place = new Place<>();
    } else {
      free = place.behind;
    }
    place.node = node;
    place.slot = node.slot();
    return place;
  }

  private void link(Place<N> place, Place<N> behind) {
    Place<N> before = behind == null ? last : behind.before;
    place.before = before;
    place.behind = behind;
    if (before == null) {
      first = place;
    } else {
      before.behind = place;
    }
    if (behind == null) {
      last = place;
    } else {
      behind.before = place;
    }
  }

  private void unlink(Place<N> place) {
    if (place.before == null) {
      first = place.behind;
    } else {
      place.before.behind = place.behind;
    }
    if (place.behind == null) {
      last = place.before;
    } else {
      place.behind.before = place.before;
    }
    count--;
    place.node = null;
    place.before = null;
    place.inBucket = null;
    place.behind = free;
    free = place;
  }

  private void grow() {
    Place<N>[] old = heads;
    heads = newTable(2 * old.length);
    tails = newTable(2 * old.length);
    for (Place<N> head : old) {
      Place<N> at = head;
      while (at != null) {
        Place<N> next = at.inBucket;
        at.inBucket = null;
        int bucket = bucket(at.slot);
        if (tails[bucket] == null) {
          heads[bucket] = at;
        } else {
          tails[bucket].inBucket = at;
        }
        tails[bucket] = at;
        at = next;
      }
    }
  }

  @SuppressWarnings("unchecked") // an array of a generic type cannot be made otherwise
  private static <N extends Node> Place<N>[] newTable(int length) {
    return (Place<N>[]) new Place<?>[length];
  }
}
