package io.jgloo;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Objects that are used for one call after the other, so that a call allocates nothing.
 *
 * <p><em>Threads</em>: any; an object belongs to the thread that took it until it is given back. An
 * object that is never given back, as after a failed call, is replaced by a new one.
 */
final class Pool<T> {

  private static final int MOST_IDLE = 64;

  private final Supplier<T> maker;
  private final AtomicReference<T> first = new AtomicReference<>(); // most calls need no lock
  private final ArrayDeque<T> more = new ArrayDeque<>();

  Pool(Supplier<T> maker) {
    this.maker = maker;
  }

  T take() {
    T idle = first.getAndSet(null);
    if (idle == null) {
      synchronized (more) {
        idle = more.pollFirst();
      }
    }
    return idle == null ? maker.get() : idle;
  }

  void give(T idle) {
    if (first.getPlain() == null) {
      first.setRelease(idle); // of two threads that do this at once, one loses its object
      return;
    }
    synchronized (more) {
      if (more.size() < MOST_IDLE) {
        more.addFirst(idle);
      }
    }
  }
}
