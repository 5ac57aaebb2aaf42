package io.jgloo.rendezvous.store;

import io.jgloo.rendezvous.time.Interruption;
import io.jgloo.transport.JGlooException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A watch on one key of any store: reads it periodically and reports changes to a listener.
 *
 * <p>It polls, because the store protocol has no notifications since PyTorch 2.0, those of a
 * directory do not work over NFS, and all stores then behave alike. A key that does not exist is
 * waited for, which costs a server nothing; one that exists is read every 20 ms.
 *
 * <p>Threads: any may close. Owns: one daemon thread, {@code gloo-watch-KEY}.
 */
public final class StoreWatch implements AutoCloseable {
  private static final Logger LOG = System.getLogger(StoreWatch.class.getName());
  private static final long PAUSE_MILLIS = 20;
  private static final Duration LONGEST_WAIT =
      Duration.ofMillis(500); // after which closing is noticed

  private final Store store;
  private final String key;
  private final StoreListener listener;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;
  private byte @Nullable [] last; // the thread's own, once it is started
  private boolean reporting; // guarded by this

  private StoreWatch(Store store, String key, StoreListener listener) {
    this.store = store;
    this.key = key;
    this.listener = listener;
    thread = new Thread(this::run, "gloo-watch-" + StoreKeys.shown(key));
    thread.setDaemon(true);
  }

  /**
   * Calls a listener with the old and the new value of {@code key} whenever it is created, changed
   * or deleted, until the watch, the store, or the handle is closed. What happens after this method
   * has returned is not missed, but changes that follow each other faster than the watch looks are
   * reported as one, and none if the value is the old one again.
   */
  public static StoreWatch start(Store store, String key, StoreListener listener) {
    StoreKeys.require(key);
    if (listener == null) {
      throw new IllegalArgumentException("listener must not be null");
    }
    StoreWatch watch = new StoreWatch(store, key, listener);
    watch.last = watch.read(Duration.ZERO);
    watch.thread.start();
    return watch;
  }

  private void run() {
    try {
      while (!closed.await(last == null ? 0 : PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
        byte[] now = read(last == null ? LONGEST_WAIT : Duration.ZERO);
        if (!Arrays.equals(last, now)) {
          byte[] before = last;
          last = now;
          report(before, now == null ? null : now.clone());
        }
      }
    } catch (JGlooException e) {
      end(e);
    } catch (InterruptedException e) {
      end(Interruption.during("watching " + key, e));
    } catch (Throwable e) { // from a user's store, or out of memory
      end(new StoreException(this + " failed: " + e, e));
    }
  }

  /** The value, {@code null} if the key does not come to exist, or holds a queue only. */
  private byte @Nullable [] read(Duration patience) {
    try {
      return store.get(key, patience);
    } catch (StoreTimeoutException e) {
      return null;
    } catch (StoreUnavailableException e) {
      throw e;
    } catch (StoreException e) {
      if (store.check(List.of(key))) {
        return null;
      }
      throw e;
    }
  }

  private void report(byte @Nullable [] before, byte @Nullable [] after) {
    setReporting(true);
    try {
      listener.changed(key, before, after);
    } catch (Throwable e) {
      LOG.log(Level.WARNING, "the listener of " + key + " failed", e);
    } finally {
      setReporting(false);
    }
  }

  private synchronized void setReporting(boolean reporting) {
    this.reporting = reporting;
  }

  private void end(JGlooException reason) {
    if (closed.getCount() > 0) {
      LOG.log(Level.DEBUG, "the watch on {0} ends: {1}", key, reason.getMessage());
      try {
        listener.ended(key, reason);
      } catch (Throwable e) {
        LOG.log(Level.WARNING, "the listener of " + key + " failed", e);
      }
    }
  }

  /**
   * Ends the watch; when it returns, the listener is not called any more, unless it is the caller.
   */
  @Override
  public void close() {
    closed.countDown();
    if (Thread.currentThread() == thread) {
      return;
    }
    synchronized (this) {
      if (!reporting) {
        thread.interrupt(); // ends an operation of the store, not the listener
      }
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return "StoreWatch[" + key + " of " + store + "]";
  }
}
