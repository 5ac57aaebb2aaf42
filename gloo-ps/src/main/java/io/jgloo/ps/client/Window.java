package io.jgloo.ps.client;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the bytes that are under way to a server, in calls of all customers of a node.
 *
 * <p><i>Threads</i>: any.
 */
public final class Window {

  private final long most;
  private final AtomicLong underWay = new AtomicLong();

  /**
   * @param most bytes; a single request may have more
   */
  public Window(long most) {
    this.most = most;
  }

  /** Whether there is room. */
  boolean fits(long bytes) {
    return fits(underWay.get(), bytes);
  }

  private boolean fits(long now, long bytes) {
    return now == 0 || now + bytes <= most;
  }

  /** Takes room, if there is some. */
  boolean reserve(long bytes) {
    long now = underWay.get();
    return fits(now, bytes) && underWay.compareAndSet(now, now + bytes);
  }

  /** Takes room that is not there. */
  void exceed(long bytes) {
    underWay.addAndGet(bytes);
  }

  /** Gives room back. */
  void release(long bytes) {
    underWay.addAndGet(-bytes);
  }
}
