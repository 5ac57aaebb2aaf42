package io.jgloo.rpc.rref.protocol;

import java.util.function.BiConsumer;

/**
 * An immutable hash map; a changed copy shares all but O(log n) nodes with its original.
 *
 * <p>A treap ordered by the hash of the keys. The priority of a node is a function of its hash too,
 * so the shape depends only on the keys, and equal maps with a common past compare fast. Keys with
 * the same hash share a position, one behind the other. Rejected alternative: copying a HashMap at
 * each step, which takes O(n).
 */
public final class PersistentMap<K, V> {

  private static final PersistentMap<?, ?> EMPTY = new PersistentMap<>(null, 0);

  /** One entry and what lies below it. */
  private static final class Node<K, V> {
    final int hash;
    final K key;
    final V value;

    /** Another entry with the same hash, or null; it has no left and no right. */
    final Node<K, V> next;

    final Node<K, V> left;
    final Node<K, V> right;

    /** Of the whole subtree; 0 until it is asked for. A race computes the same value twice. */
    int sum;

    Node(int hash, K key, V value, Node<K, V> next, Node<K, V> left, Node<K, V> right) {
      this.hash = hash;
      this.key = key;
      this.value = value;
      this.next = next;
      this.left = left;
      this.right = right;
    }

    Node<K, V> over(Node<K, V> newLeft, Node<K, V> newRight) {
      return newLeft == left && newRight == right
          ? this
          : new Node<>(hash, key, value, next, newLeft, newRight);
    }

    /** Odd constants make a bijection, so different hashes have different priorities. */
    boolean isAbove(int otherHash) {
      return Integer.compareUnsigned(hash * 0x9E3779B1, otherHash * 0x9E3779B1) > 0;
    }
  }

  private final Node<K, V> root;
  private final int size;

  private PersistentMap(Node<K, V> root, int size) {
    this.root = root;
    this.size = size;
  }

  /** Returns the map without entries. */
  @SuppressWarnings("unchecked") // It has no entry of a wrong type.
  public static <K, V> PersistentMap<K, V> empty() {
    return (PersistentMap<K, V>) EMPTY;
  }

  /** Returns the number of entries. */
  public int size() {
    return size;
  }

  /** Whether there is no entry. */
  public boolean isEmpty() {
    return size == 0;
  }

  /** Returns the value of the key, or null. */
  public V get(K key) {
    Node<K, V> found = find(spread(key), key);
    return found == null ? null : found.value;
  }

  /** Whether the key has a value. */
  public boolean contains(K key) {
    return find(spread(key), key) != null;
  }

  /** Returns the map in which the key has the value. */
  public PersistentMap<K, V> with(K key, V value) {
    int hash = spread(key);
    Node<K, V> old = find(hash, key);
    if (old != null && old.value == value) {
      return this;
    }
    Node<K, V> entry = new Node<>(hash, key, value, null, null, null);
    return new PersistentMap<>(put(root, entry), old == null ? size + 1 : size);
  }

  /** Returns the map without the key. */
  public PersistentMap<K, V> without(K key) {
    int hash = spread(key);
    if (find(hash, key) == null) {
      return this;
    }
    return size == 1 ? empty() : new PersistentMap<>(remove(root, hash, key), size - 1);
  }

  /** Calls the action for each entry, in an order that depends only on the keys. */
  public void forEach(BiConsumer<? super K, ? super V> action) {
    visit(root, action);
  }

  private static int spread(Object key) {
    int hash = key.hashCode() * 0x85EBCA6B;
    return hash ^ hash >>> 15;
  }

  private Node<K, V> find(int hash, K key) {
    Node<K, V> node = root;
    while (node != null && node.hash != hash) {
      node = hash < node.hash ? node.left : node.right;
    }
    while (node != null && !node.key.equals(key)) {
      node = node.next;
    }
    return node;
  }

  private static <K, V> Node<K, V> put(Node<K, V> node, Node<K, V> entry) {
    if (node == null) {
      return entry;
    }
    if (entry.hash == node.hash) {
      Node<K, V> others = unchain(node, entry.key);
      return new Node<>(entry.hash, entry.key, entry.value, others, node.left, node.right);
    }
    if (entry.isAbove(node.hash)) {
      return entry.over(below(node, entry.hash), above(node, entry.hash));
    }
    return entry.hash < node.hash
        ? node.over(put(node.left, entry), node.right)
        : node.over(node.left, put(node.right, entry));
  }

  private static <K, V> Node<K, V> remove(Node<K, V> node, int hash, K key) {
    if (hash != node.hash) {
      return hash < node.hash
          ? node.over(remove(node.left, hash, key), node.right)
          : node.over(node.left, remove(node.right, hash, key));
    }
    Node<K, V> rest = unchain(node, key);
    return rest == null
        ? join(node.left, node.right)
        : new Node<>(hash, rest.key, rest.value, rest.next, node.left, node.right);
  }

  /** Returns the entries at a position but one. */
  private static <K, V> Node<K, V> unchain(Node<K, V> node, K key) {
    if (node == null) {
      return null;
    }
    Node<K, V> rest = node.key.equals(key) ? node.next : unchain(node.next, key);
    return node.key.equals(key)
        ? rest
        : new Node<>(node.hash, node.key, node.value, rest, null, null);
  }

  private static <K, V> Node<K, V> below(Node<K, V> node, int hash) {
    if (node == null) {
      return null;
    }
    return node.hash < hash
        ? node.over(node.left, below(node.right, hash))
        : below(node.left, hash);
  }

  private static <K, V> Node<K, V> above(Node<K, V> node, int hash) {
    if (node == null) {
      return null;
    }
    return node.hash > hash
        ? node.over(above(node.left, hash), node.right)
        : above(node.right, hash);
  }

  private static <K, V> Node<K, V> join(Node<K, V> left, Node<K, V> right) {
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    return left.isAbove(right.hash)
        ? left.over(left.left, join(left.right, right))
        : right.over(join(left, right.left), right.right);
  }

  private static <K, V> void visit(Node<K, V> node, BiConsumer<? super K, ? super V> action) {
    if (node != null) {
      visit(node.left, action);
      for (Node<K, V> entry = node; entry != null; entry = entry.next) {
        action.accept(entry.key, entry.value);
      }
      visit(node.right, action);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PersistentMap<?, ?> that
        && size == that.size
        && sum(root) == sum(that.root)
        && same(root, that.root);
  }

  private static boolean same(Node<?, ?> one, Node<?, ?> two) {
    if (one == two || one == null || two == null) {
      return one == two;
    }
    return one.hash == two.hash
        && one.sum == two.sum
        && sameEntries(one, two)
        && same(one.left, two.left)
        && same(one.right, two.right);
  }

  private static boolean sameEntries(Node<?, ?> one, Node<?, ?> two) {
    int difference = 0;
    for (Node<?, ?> a = one; a != null; a = a.next) {
      Node<?, ?> b = two;
      while (b != null && !a.key.equals(b.key)) {
        b = b.next;
      }
      if (b == null || !a.value.equals(b.value)) {
        return false;
      }
      difference++;
    }
    for (Node<?, ?> b = two; b != null; b = b.next) {
      difference--;
    }
    return difference == 0;
  }

  private static int sum(Node<?, ?> node) {
    if (node == null) {
      return 0;
    }
    if (node.sum == 0) {
      int sum = 1 + sum(node.left) + sum(node.right);
      for (Node<?, ?> entry = node; entry != null; entry = entry.next) {
        int mixed = (entry.hash * 31 + entry.value.hashCode()) * 0x9E3779B1;
        sum += mixed ^ mixed >>> 16;
      }
      node.sum = sum;
    }
    return node.sum;
  }

  @Override
  public int hashCode() {
    return sum(root);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    forEach(
        (key, value) ->
            text.append(text.length() > 1 ? ", " : "").append(key).append('=').append(value));
    return text.append('}').toString();
  }
}
