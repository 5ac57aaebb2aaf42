package io.jgloo;

import java.util.ArrayDeque;
import java.util.function.Function;

/**
 * Objects that describe one call and then the next, so that a call allocates nothing.
 *
 * <p><em>Threads</em>: any; what is taken belongs to the taker until it is given back.
 */
final class Spares<T> {

  private static final int KEPT = 64;

  private final Function<Spares<T>, T> maker;
  private final ArrayDeque<T> idle = new ArrayDeque<>();

  Spares(Function<Spares<T>, T> maker) {
    this.maker = maker;
  }

  T take() {
    T spare;
    synchronized (idle) {
      spare = idle.pollFirst();
    }
    return spare == null ? maker.apply(this) : spare;
  }

  void give(T spare) {
    synchronized (idle) {
      if (idle.size() < KEPT) {
        idle.addFirst(spare);
      }
    }
  }
}
