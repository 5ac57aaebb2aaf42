package io.jgloo;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Objects that describe one call and then the next, so that a call allocates nothing.
 *
 * <p><em>Threads</em>: any; what is taken belongs to the taker until it is given back.
 */
final class Spares<T> {

  private static final int KEPT = 64;

  private final Function<Spares<T>, T> maker;
  private final AtomicReference<T> first = new AtomicReference<>(); // spares most calls the lock
  private final ArrayDeque<T> more = new ArrayDeque<>();

  Spares(Function<Spares<T>, T> maker) {
    this.maker = maker;
  }

  T take() {
    T spare = first.getAndSet(null);
    if (spare == null) {
      synchronized (more) {
        spare = more.pollFirst();
      }
    }
    return spare == null ? maker.apply(this) : spare;
  }

  void give(T spare) {
    if (first.compareAndSet(null, spare)) {
      return;
    }
    synchronized (more) {
      if (more.size() < KEPT) {
        more.addFirst(spare);
      }
    }
  }
}
