package io.jgloo.rendezvous.store.file;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import java.io.IOException;
import java.lang.System.Logger;
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
 * holders of {@code flock}; so the call is made through JNA, on a descriptor that is opened for the
 * lock alone. Without native access, or on Windows, Java's lock is used with a warning: then
 * JGloo's processes exclude each other, but not those of PyTorch.
 *
 * <p>Owns: the descriptor; closing it releases the lock.
 */
final class LogFileLock implements AutoCloseable {
  private static final Logger LOG = System.getLogger(LogFileLock.class.getName());
  private static final boolean NATIVE = bind();

  private static final int READ_WRITE = 2; // O_RDWR
  private static final int CREATE = 0x40; // O_CREAT on Linux
  private static final int CLOSE_ON_EXEC = 0x80000; // O_CLOEXEC on Linux
  private static final int NO_FOLLOW = noFollow();
  private static final int OWNER_WRITES = 0644;
  private static final int SHARED = 1;
  private static final int EXCLUSIVE = 2;
  private static final int NOT_BLOCKING = 4;
  private static final int NO_ENTRY = 2;
  private static final int INTERRUPTED = 4;
  private static final int WOULD_BLOCK = 11;

  /** The C library's functions; JNA wants their names. */
  private static final class C {
    static native int open(String path, int flags, int mode) throws LastErrorException;

    static native int flock(int descriptor, int operation) throws LastErrorException;

    static native int close(int descriptor) throws LastErrorException;

    private C() {}
  }

  private final int descriptor;
  private final FileChannel channel;

  private LogFileLock(int descriptor, FileChannel channel) {
    this.descriptor = descriptor;
    this.channel = channel;
  }

  private static boolean bind() {
    if (!Platform.isLinux()) {
      LOG.log(Level.WARNING, "flock is not available: a file store cannot be shared with PyTorch");
      return false;
    }
    try {
      Native.register(C.class, Platform.C_LIBRARY_NAME);
      return true;
    } catch (LinkageError e) {
      LOG.log(
          Level.WARNING, "flock is not available: a file store cannot be shared with PyTorch", e);
      return false;
    }
  }

  /** O_NOFOLLOW on Linux, which is not the same everywhere; 0 where it is not known. */
  private static int noFollow() {
    return Platform.isIntel() ? 0x20000 : Platform.isARM() ? 0x8000 : 0;
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
    return NATIVE ? tryFlock(file, exclusive) : tryRecordLock(file, exclusive);
  }

  private static LogFileLock tryFlock(Path file, boolean exclusive) throws IOException {
    int descriptor;
    try {
      int flags = READ_WRITE | CLOSE_ON_EXEC | NO_FOLLOW | (exclusive ? CREATE : 0);
      descriptor = C.open(file.toString(), flags, OWNER_WRITES);
    } catch (LastErrorException e) {
      if (e.getErrorCode() == NO_ENTRY) {
        throw new NoSuchFileException(file.toString());
      }
      throw new IOException("cannot open " + file + ": " + e.getMessage(), e);
    }
    try {
      C.flock(descriptor, (exclusive ? EXCLUSIVE : SHARED) | NOT_BLOCKING);
      return new LogFileLock(descriptor, null);
    } catch (LastErrorException e) {
      C.close(descriptor);
      if (e.getErrorCode() == WOULD_BLOCK || e.getErrorCode() == INTERRUPTED) {
        return null;
      }
      throw new IOException("cannot lock " + file + ": " + e.getMessage(), e);
    }
  }

  private static LogFileLock tryRecordLock(Path file, boolean exclusive) throws IOException {
    FileChannel channel =
        exclusive
            ? StoreFile.open(
                file,
                OwnerOnly.with(
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
      return;
    }
    try {
      C.close(descriptor);
    } catch (LastErrorException e) {
      throw new IOException("cannot close a lock: " + e.getMessage(), e);
    }
  }
}
