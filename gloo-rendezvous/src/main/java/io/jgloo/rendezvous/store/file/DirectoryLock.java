package io.jgloo.rendezvous.store.file;

import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.rendezvous.time.Interruption;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Excludes all other threads and processes from changing a directory: a lock in the JVM, then a
 * record lock on a file.
 *
 * <p>Both are needed. Record locks belong to the process: they do not keep its threads apart, and
 * closing any channel on the file gives them up, so only the holder of the JVM's lock opens it. The
 * system releases the record lock of a process that dies. The file lock is tried again and again
 * with a growing pause rather than waited for, because {@link FileChannel#lock()} knows no timeout
 * and a stopped process must not block the others forever.
 */
final class DirectoryLock {
  /** A body that runs under the lock. */
  interface Body<T> {
    T run() throws IOException;
  }

  private static final long FIRST_PAUSE_NANOS = 20_000;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000;

  // Per JVM by nature: what it guards is the process's ownership of record locks. One small object
  // per directory ever used; its removal would race with waiting threads.
  private static final ConcurrentMap<Path, ReentrantLock> LOCKS = new ConcurrentHashMap<>();

  private final Path file;
  private final ReentrantLock threads;

  /**
   * The lock of a directory.
   *
   * @param directory its real path, so that the same directory has the same lock
   */
  DirectoryLock(Path directory) {
    file = directory.resolve(".lock");
    threads = LOCKS.computeIfAbsent(directory, absent -> new ReentrantLock());
  }

  /**
   * Runs {@code body} while no other thread or process runs one.
   *
   * @throws StoreUnavailableException if another thread or process holds the lock until the
   *     deadline
   */
  <T> T exclusively(Deadline deadline, Body<T> body) throws IOException {
    try {
      if (!threads.tryLock(deadline.remainingNanos(), TimeUnit.NANOSECONDS)) {
        throw stillHeld("another thread");
      }
    } catch (InterruptedException e) {
      throw Interruption.during("waiting for " + file, e);
    }
    try (FileChannel channel =
        StoreFile.open(
            file,
            StoreFile.with(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            StoreFile.ownerOnly(file))) {
      hold(channel, deadline);
      return body.run(); // closing the channel releases the lock
    } finally {
      threads.unlock();
    }
  }

  private void hold(FileChannel channel, Deadline deadline) throws IOException {
    long pauseNanos = FIRST_PAUSE_NANOS;
    while (!tryLock(channel)) {
      if (deadline.passed()) {
        throw stillHeld("another process");
      }
      if (Thread.currentThread().isInterrupted()) {
        throw Interruption.during("waiting for " + file, null);
      }
      LockSupport.parkNanos(pauseNanos);
      pauseNanos = Math.min(pauseNanos * 2, LONGEST_PAUSE_NANOS);
    }
  }

  private static boolean tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false; // held by a copy of this class that another class loader of the JVM loaded
    }
  }

  private StoreUnavailableException stillHeld(String by) {
    return new StoreUnavailableException(file + " is still locked by " + by, null);
  }
}
