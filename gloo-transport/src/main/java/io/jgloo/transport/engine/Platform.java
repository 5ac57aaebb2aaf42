package io.jgloo.transport.engine;

import io.jgloo.transport.Clock;
import io.jgloo.transport.library.VirtualThreads;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The services of the machine that a transport uses besides sockets: time, threads, waiting and
 * identity.
 *
 * <p>Whatever may block a thread goes through here or through a poller, so that a simulator can
 * replace both. A device holds one platform in a final field.
 *
 * <p><i>Threads</i>: any.
 */
public interface Platform extends Clock {

  /** The machine itself. */
  Platform SYSTEM =
      new Platform() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public void park(Object blocker, long nanos) {
          LockSupport.parkNanos(blocker, nanos);
        }

        @Override
        public void unpark(Thread thread) {
          LockSupport.unpark(thread);
        }

        @Override
        @SuppressWarnings("ThreadPriorityCheck") // only time depends on it
        public void onSpinWait() {
          if (VirtualThreads.isVirtualHere()) {
            Thread.yield(); // what it waits for may need its carrier
          } else {
            Thread.onSpinWait();
          }
        }

        @Override
        public Thread newThread(String name, Runnable body) {
          Thread thread = new Thread(body, name);
          thread.setDaemon(true);
          return thread;
        }

        @Override
        public void join(Thread thread, long nanos) throws InterruptedException {
          TimeUnit.NANOSECONDS.timedJoin(thread, nanos);
        }

        @Override
        public ReentrantLock newLock() {
          return new ReentrantLock();
        }

        @Override
        public UUID newIncarnation() {
          return UUID.randomUUID();
        }
      };

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
