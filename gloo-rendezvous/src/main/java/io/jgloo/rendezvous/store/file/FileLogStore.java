package io.jgloo.rendezvous.store.file;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreException;
import io.jgloo.rendezvous.store.StoreKeys;
import io.jgloo.rendezvous.store.StoreTimeoutException;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.rendezvous.time.Interruption;
import io.jgloo.transport.ClosedException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A store in one file, in the format and under the locks of PyTorch's FileStore, so that ranks of
 * both can share it.
 *
 * <p>The file counts its open handles. The last one to close removes it, if at least as many were
 * closed as there are workers; so the next run does not find the last one's keys. A process that
 * dies leaves the file. {@link FileStore} is the better choice where PyTorch does not take part:
 * nothing has to be replayed, and a crash leaves no half record.
 *
 * <p>Waiting is polling, with pauses from 1 to 20 ms; a poll without a change costs one {@code
 * stat}.
 *
 * <p>Owns: nothing that outlives a call, but the count of its handle in the file.
 */
public final class FileLogStore implements Store {
  private static final String HANDLES = "refcount/";
  private static final String CLOSED_HANDLES = "cleanup/";
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LOCK_PAUSE_NANOS = 200_000;
  private static final byte[] NOTHING = {};

  private final Path file;
  private final int workers;
  private final Duration timeout;
  private final StoreLog log;
  private final ReentrantLock threads = new ReentrantLock();
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * The store in {@code file}, which is created if it is missing; its directory must exist.
   *
   * @param workers how many handles will be opened in all; negative: the file is never removed
   */
  public FileLogStore(Path file, int workers, Duration timeout) {
    Deadline.after(timeout); // refuses an invalid timeout
    this.file = file.toAbsolutePath();
    this.workers = workers;
    this.timeout = timeout;
    log = new StoreLog(this.file);
    if (Files.isDirectory(this.file)) {
      throw new StoreUnavailableException(this.file + " is a directory, not a store's file", null);
    }
    exclusively(() -> count(HANDLES, 1));
  }

  @Override
  public Duration timeout() {
    return timeout;
  }

  @Override
  public void set(String key, byte[] value) {
    String name = stored(key);
    StoreKeys.requireValue(value);
    exclusively(() -> put(name, value.clone()));
  }

  @Override
  public byte[] get(String key, Duration timeout) {
    return multiGet(List.of(StoreKeys.require(key)), timeout).get(0);
  }

  @Override
  public void wait(Collection<String> keys, Duration timeout) {
    multiGet(List.copyOf(StoreKeys.requireAll(keys)), timeout);
  }

  @Override
  public long add(String key, long delta) {
    String name = stored(key);
    return exclusively(
        () -> {
          long sum = StoreKeys.sum(key, log.get(name), delta);
          put(name, StoreKeys.text(sum));
          return sum;
        });
  }

  @Override
  public byte[] compareSet(String key, byte[] expected, byte[] desired) {
    String name = stored(key);
    StoreKeys.requireValue(expected);
    StoreKeys.requireValue(desired);
    return exclusively(
        () -> {
          byte[] old = log.get(name);
          if (old == null && expected.length > 0) {
            return expected.clone();
          }
          if (old != null && !Arrays.equals(old, expected)) {
            return old.clone();
          }
          put(name, desired.clone());
          return desired.clone();
        });
  }

  @Override
  public boolean deleteKey(String key) {
    String name = stored(key);
    return exclusively(
        () -> {
          boolean there = log.contains(name);
          if (there) {
            put("-" + name, NOTHING);
          }
          return there;
        });
  }

  @Override
  public boolean check(Collection<String> keys) {
    List<String> wanted = StoreKeys.requireAll(keys);
    return look(() -> missing(wanted).isEmpty());
  }

  @Override
  public void append(String key, byte[] value) {
    String name = stored(key);
    StoreKeys.requireValue(value);
    exclusively(
        () -> {
          byte[] old = log.get(name);
          return put(name, old == null ? value.clone() : StoreKeys.concat(key, old, value));
        });
  }

  /** {@inheritDoc} All at one instant. */
  @Override
  public List<byte[]> multiGet(List<String> keys, Duration timeout) {
    List<String> wanted = StoreKeys.requireAll(keys);
    Deadline deadline = Deadline.after(timeout);
    long pauseNanos = FIRST_PAUSE_NANOS;
    while (true) {
      List<byte[]> values = look(() -> values(wanted));
      if (!values.contains(null)) {
        return values;
      }
      long leftNanos = deadline.remainingNanos();
      if (leftNanos <= 0) {
        throw new StoreTimeoutException(timeout, look(() -> missing(wanted)));
      }
      pause(Math.min(pauseNanos, leftNanos));
      pauseNanos = Math.min(pauseNanos * 3 / 2, LONGEST_PAUSE_NANOS);
    }
  }

  /** {@inheritDoc} The last handle removes the file, as the class comment says. */
  @Override
  public void close() {
    if (closed.getCount() == 0) {
      return;
    }
    boolean interrupted = Thread.interrupted();
    try {
      if (Files.exists(file)) {
        exclusively(this::leave);
      }
    } finally {
      closed.countDown();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Void leave() throws IOException {
    long closedHandles = count(CLOSED_HANDLES, 1);
    long left = count(HANDLES, -1);
    if (left == 0 && workers >= 0 && closedHandles >= workers) {
      Files.deleteIfExists(file);
      log.vanished();
    }
    return null;
  }

  @Override
  public String toString() {
    return "FileLogStore[" + file + "]";
  }

  private static String stored(String key) {
    return "/" + new String(StoreKeys.encode(key), StandardCharsets.ISO_8859_1);
  }

  private List<byte[]> values(List<String> keys) {
    List<byte[]> values = new ArrayList<>(keys.size());
    for (String key : keys) {
      byte[] value = log.get(stored(key));
      values.add(value == null ? null : value.clone());
    }
    return values;
  }

  private List<String> missing(List<String> keys) {
    return keys.stream().filter(key -> !log.contains(stored(key))).toList();
  }

  private Void put(String name, byte[] value) throws IOException {
    log.append(name, value);
    return null;
  }

  private long count(String counter, long delta) throws IOException {
    long sum = StoreKeys.sum(counter, log.get(counter), delta);
    put(counter, StoreKeys.text(sum));
    return sum;
  }

  private void pause(long nanos) {
    try {
      if (closed.await(nanos, TimeUnit.NANOSECONDS)) {
        throw new ClosedException(toString() + " is closed");
      }
    } catch (InterruptedException e) {
      throw Interruption.during("waiting for keys of " + this, e);
    }
  }

  private <T> T exclusively(DirectoryLock.Body<T> body) {
    return io(
        () -> {
          Deadline deadline = Deadline.after(timeout);
          while (true) {
            try (LogFileLock lock = locked(true, deadline)) {
              if (caughtUp(lock)) {
                return body.run();
              }
            }
          }
        });
  }

  /** False if the file was removed before it was locked: then the lock is of a removed file. */
  private boolean caughtUp(LogFileLock lock) throws IOException {
    assert lock != null;
    try {
      log.catchUp();
      return true;
    } catch (NoSuchFileException e) {
      log.vanished();
      return false;
    }
  }

  /** Runs a body that reads the current content of the file; a missing file is empty. */
  private <T> T look(DirectoryLock.Body<T> body) {
    return io(
        () -> {
          if (log.isBehind()) {
            try (LogFileLock lock = locked(false, Deadline.after(timeout))) {
              caughtUp(lock);
            } catch (NoSuchFileException e) {
              log.vanished();
            }
          }
          return body.run();
        });
  }

  private LogFileLock locked(boolean exclusive, Deadline deadline) throws IOException {
    while (true) {
      LogFileLock lock = LogFileLock.tryLock(file, exclusive);
      if (lock != null) {
        return lock;
      }
      if (deadline.passed()) {
        throw new StoreUnavailableException(file + " is still locked by another process", null);
      }
      if (Thread.currentThread().isInterrupted()) {
        throw Interruption.during("waiting for the lock of " + file, null);
      }
      LockSupport.parkNanos(LOCK_PAUSE_NANOS);
    }
  }

  private <T> T io(DirectoryLock.Body<T> body) {
    threads.lock();
    try {
      if (closed.getCount() == 0) {
        throw new ClosedException(toString() + " is closed");
      }
      return body.run();
    } catch (ClosedByInterruptException e) {
      throw Interruption.during("in an operation on " + this, e);
    } catch (OwnFileFormat.TornRecordException e) {
      throw new StoreException(e.getMessage(), e);
    } catch (IOException e) {
      boolean removed = !Files.isDirectory(file.getParent());
      throw removed
          ? new StoreUnavailableException(this + ": its directory does not exist: " + e, e)
          : new StoreException(this + ": " + e, e);
    } finally {
      threads.unlock();
    }
  }
}
