package io.jgloo.transport.sim;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** First come, first served, slot by slot. */
final class SlotQueues<T> {

  private final Map<Long, ArrayDeque<T>> bySlot = new LinkedHashMap<>();

  boolean isEmpty() {
    return bySlot.isEmpty();
  }

  void add(long slot, T item) {
    bySlot.computeIfAbsent(slot, key -> new ArrayDeque<>(4)).add(item);
  }

  /** The first of a slot, or null. */
  T first(long slot) {
    ArrayDeque<T> queue = bySlot.get(slot);
    return queue == null ? null : queue.peek();
  }

  /** Takes an item out; false if it is not here. */
  boolean remove(long slot, T item) {
    ArrayDeque<T> queue = bySlot.get(slot);
    if (queue == null) {
      return false;
    }
    boolean removed = queue.peek() == item ? queue.poll() != null : queue.remove(item);
    if (queue.isEmpty()) {
      bySlot.remove(slot);
    }
    return removed;
  }

  /** Takes everything out. */
  void drain(Consumer<T> to) {
    for (ArrayDeque<T> queue : bySlot.values()) {
      queue.forEach(to);
    }
    bySlot.clear();
  }
}
