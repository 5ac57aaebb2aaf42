package io.jgloo.transport.tcp.socket;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reports which descriptors have become ready.
 *
 * <p><i>Threads</i>: all methods but {@link #wakeup} by one thread at a time (the holder of the
 * progress lock); {@link #wakeup} by any. <i>Owns</i>: its own descriptors, not those registered.
 */
public abstract class Poller implements AutoCloseable {

  /** Descriptors with news since the list was last cleared by its reader. */
  public final List<Pollable> ready = new ArrayList<>();

  /** Starts to report on a descriptor; what is ready now is reported by the next poll. */
  public abstract void add(Pollable pollable) throws IOException;

  /** Stops to report on a descriptor that is still open. */
  public abstract void remove(Pollable pollable);

  /**
   * Fills {@link #ready}.
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
