package io.jgloo.transport.engine;

import io.jgloo.transport.Clock;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a transport takes from the machine besides its sockets: time, threads, waiting and identity.
 *
 * <p>Whatever may block a thread goes through here or through a poller, so that a simulator can
 * replace both. A device holds one platform in a final field.
 *
 * <p><i>Threads</i>: any.
 */
public interface Platform extends Clock {

  /** The machine itself. */
  Platform SYSTEM = new SystemPlatform();

  /**
   * Blocks the calling thread until {@link #unpark}, an interrupt or the end of the time; it may
   * return earlier for no reason.
   *
   * @param blocker what thread dumps name
   */
  void park(Object blocker, long nanos);

  /** Ends the thread's present or next {@link #park}. */
  void unpark(Thread thread);

  /** Called in each round of a loop that waits for another thread. */
  void onSpinWait();

  /** A daemon thread, not started. */
  Thread newThread(String name, Runnable body);

  /** Waits until a thread of {@link #newThread} has ended, or for this time. */
  void join(Thread thread, long nanos) throws InterruptedException;

  /**
   * A lock that is never held while its holder blocks, except by waiting on its conditions. A
   * simulator may let other threads run before it is taken.
   */
  ReentrantLock newLock();

  /** A random identity that no mesh has had before. */
  UUID newIncarnation();
}
