package io.jgloo.transport.engine;

/**
 * The source of arrivals of a mesh: polls them, and blocks until one is there.
 *
 * <p><i>Threads</i>: the one that holds the progress lock, but for {@link #wakeup}. The mesh's lock
 * is not held; an implementation takes it to handle what it has found, never while it blocks.
 */
public interface Source {

  /**
   * Looks at everything without blocking, and handles what is there.
   *
   * @return whether there was anything
   */
  boolean look();

  /**
   * Looks only where a message is most likely to arrive next; cheaper than {@link #look}.
   *
   * @return whether there was anything
   */
  default boolean glance() {
    return look();
  }

  /** After how many glances a look at everything is due; 1 if there are no glances. */
  default int glances() {
    return 1;
  }

  /** Usual number of looks in vain before the thread offers its core at each further one. */
  int LOOKS_BEFORE_YIELD = 6;

  /** Looks in vain before the thread offers its core to others at each further one. */
  default int looksBeforeYield() {
    return LOOKS_BEFORE_YIELD;
  }

  /** Blocks until something is there, {@link #wakeup} is called or the time is over; handles it. */
  void block(long nanos);

  /** Lets {@link #block} in another thread, or the next one, return soon; called by any thread. */
  void wakeup();

  /**
   * Whether an error of the JVM is the fault of a peer that has truncated memory which it shares:
   * compiled code hears of it late, in a frame that does not know the peer. The next look reports
   * it by name.
   */
  default boolean explains(InternalError error) {
    return false;
  }

  /** Called in place of looks once it is closed. */
  default void afterClose() {}

  /** Gives its resources back. */
  void close();
}
