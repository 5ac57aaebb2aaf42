package io.jgloo.transport.tcp.socket;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Reports which descriptors have become ready.
 *
 * <p><i>Threads</i>: all methods but {@link #wakeup} by one thread at a time (the holder of the
 * progress lock); {@link #wakeup} by any. <i>Owns</i>: its own descriptors, not those registered.
 */
public abstract class Poller implements AutoCloseable {

  private final Queue<Pollable> ready = new ArrayDeque<>();

  /** Starts to report on a descriptor; what is ready now is reported by the next poll. */
  public abstract void add(Pollable pollable) throws IOException;

  /**
   * Stops to report on a descriptor that is still open. It leaves the queue, too: another poller,
   * to which it is given next, would take it for reported already.
   */
  public final void remove(Pollable pollable) {
    detach(pollable);
    if (pollable.listed && ready.remove(pollable)) {
      pollable.listed = false;
    }
  }

  /** Stops to poll a descriptor. */
  protected abstract void detach(Pollable pollable);

  /** Takes a descriptor with news from the queue; null if there is none. */
  public final Pollable next() {
    Pollable first = ready.poll();
    if (first != null) {
      first.listed = false;
    }
    return first;
  }

  /** Whether a descriptor with news is in the queue. */
  public final boolean hasNext() {
    return !ready.isEmpty();
  }

  /**
   * Queues what has become ready.
   *
   * @param timeoutNanos how long to block if nothing is ready; 0 does not block
   */
  public abstract void poll(long timeoutNanos);

  /** Lets a blocking {@link #poll} in another thread, or the next one, return soon. */
  public abstract void wakeup();

  @Override
  public abstract void close();

  protected final void report(Pollable pollable) {
    if (!pollable.listed) {
      pollable.listed = true;
      ready.add(pollable);
    }
  }
}
