package io.jgloo.rendezvous.store.file;

import io.jgloo.transport.library.SystemCalls;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The lock that PyTorch takes on a store's file, {@code flock(2)}, tried without blocking.
 *
 * <p>Java's own file locks are POSIX record locks, which on a local file system do not exclude
 * holders of {@code flock}; so the native library makes the call, on a descriptor that is opened
 * for the lock alone. Without the library Java's lock is used with a warning: then JGloo's
 * processes exclude each other, but not those of PyTorch.
 *
 * <p>Owns: the descriptor; closing it releases the lock.
 */
final class LogFileLock implements AutoCloseable {
  private static final boolean NATIVE = look();

  private final int descriptor;
  private final FileChannel channel;

  private LogFileLock(int descriptor, FileChannel channel) {
    this.descriptor = descriptor;
    this.channel = channel;
  }

  private static boolean look() {
    try {
      SystemCalls.check();
      return true;
    } catch (IOException e) {
      System.getLogger(LogFileLock.class.getName())
          .log(
              Level.WARNING,
              "flock is not available: a file store cannot be shared with PyTorch: {0}",
              e.getMessage());
      return false;
    }
  }

  /** Whether the lock is the one that PyTorch takes. */
  static boolean isShareable() {
    return NATIVE;
  }

  /**
   * The lock, {@code null} if another process holds it.
   *
   * @param exclusive for writing, which creates the file if it is missing; else for reading
   * @throws NoSuchFileException if the file is missing
   */
  static LogFileLock tryLock(Path file, boolean exclusive) throws IOException {
    StoreFile.requireRegular(file);
    if (!NATIVE) {
      return tryRecordLock(file, exclusive);
    }
    int descriptor = SystemCalls.tryLock(file, exclusive);
    return descriptor < 0 ? null : new LogFileLock(descriptor, null);
  }

  private static LogFileLock tryRecordLock(Path file, boolean exclusive) throws IOException {
    FileChannel channel =
        exclusive
            ? StoreFile.open(
                file,
                StoreFile.with(
                    StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE))
            : StoreFile.open(file);
    try {
      if (channel.tryLock(0, Long.MAX_VALUE, !exclusive) != null) {
        return new LogFileLock(-1, channel);
      }
      channel.close();
      return null;
    } catch (OverlappingFileLockException e) {
      channel.close();
      return null;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    } else {
      SystemCalls.close(descriptor);
    }
  }
}
