package io.jgloo.rendezvous.store.file;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreException;
import io.jgloo.rendezvous.store.StoreKeys;
import io.jgloo.rendezvous.store.StoreTimeoutException;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.rendezvous.time.Interruption;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.library.SystemCalls;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A store in a directory that all ranks can reach: one file per key.
 *
 * <p>Every change is made by the holder of the directory's lock, which writes {@code .tmp} and
 * renames it over the key's file. Readers take no lock; they see the old record or the new one. A
 * process that dies during a write leaves at most one {@code .tmp}, which the next writer removes.
 * A truncated record (a full disk, a file system that shows a file before its bytes) counts as
 * missing while a caller waits, and is an error that names the file at the timeout.
 *
 * <p>Waiting is polling, with pauses from 1 to 50 ms: file system events do not work over NFS. The
 * keys of a run stay for the next one, so a reader must distinguish records of a finished run from
 * its own. Directories and files are accessible to the owner only. A symbolic link, FIFO or device
 * in the place of a file is an error that names it; for a directory that every user can write to a
 * warning is logged.
 *
 * <p>Owns: nothing that outlives a call; {@link #close} only ends this handle's use. The directory
 * stays, with the empty file {@code .lock} in it.
 */
public final class FileStore implements Store {
  private static final Logger LOG = System.getLogger(FileStore.class.getName());
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final FileFormat format;
  private final Path directory;
  private final Path temporary;
  private final Duration timeout;
  private final DirectoryLock lock;
  private final CountDownLatch closed = new CountDownLatch(1);

  /** The store in {@code directory} with {@link Store#DEFAULT_TIMEOUT}. */
  public FileStore(Path directory) {
    this(directory, DEFAULT_TIMEOUT);
  }

  /**
   * The store in {@code directory}, which is created, with its parents, if it is missing.
   *
   * @throws StoreUnavailableException if it cannot be created, or is not a writable directory
   */
  public FileStore(Path directory, Duration timeout) {
    this(directory, timeout, new OwnFileFormat());
  }

  /**
   * The store in {@code directory}, in the format of C++ Gloo's FileStore built with GCC's library:
   * a file's name is the hash of its key, its content the value and nothing else. C++ ranks set and
   * read keys; they lock nothing and refuse to set a key that is there or to read an empty value.
   * The other operations are among JGloo's ranks. Two keys with one hash are one key.
   */
  public static FileStore inGlooFormat(Path directory, Duration timeout) {
    return new FileStore(directory, timeout, new CppGlooFileFormat());
  }

  private FileStore(Path directory, Duration timeout, FileFormat format) {
    this.format = format;
    Deadline deadline = Deadline.after(timeout);
    this.timeout = timeout;
    try {
      this.directory = created(directory).toRealPath();
      this.temporary = this.directory.resolve(".tmp");
      this.lock = new DirectoryLock(this.directory);
      if (StoreFile.isOpenToAll(this.directory)) {
        LOG.log(
            Level.WARNING,
            "store: every user of this machine can change {0}; allow its owner only (chmod 700)",
            this.directory);
      }
      lock.exclusively(deadline, () -> Files.deleteIfExists(temporary));
    } catch (ClosedByInterruptException e) {
      throw Interruption.during("opening " + directory, e);
    } catch (IOException e) {
      throw new StoreUnavailableException("cannot use directory " + directory + ": " + e, e);
    }
  }

  /** The directory's real path. */
  public Path directory() {
    return directory;
  }

  @Override
  public Duration timeout() {
    return timeout;
  }

  @Override
  public void set(String key, byte[] value) {
    byte[] name = StoreKeys.encode(key);
    StoreKeys.requireValue(value);
    exclusively(() -> write(name, value));
  }

  @Override
  public byte[] get(String key, Duration timeout) {
    byte[] name = StoreKeys.encode(key);
    Deadline deadline = Deadline.after(timeout);
    while (true) {
      await(List.of(key), deadline, timeout);
      byte[] value = io(() -> format.read(file(name), name));
      if (value != null) {
        return value;
      }
    }
  }

  @Override
  public void wait(Collection<String> keys, Duration timeout) {
    await(StoreKeys.requireAll(keys), Deadline.after(timeout), timeout);
  }

  @Override
  public long add(String key, long delta) {
    byte[] name = StoreKeys.encode(key);
    return exclusively(
        () -> {
          long sum = StoreKeys.sum(key, format.read(file(name), name), delta);
          write(name, StoreKeys.text(sum));
          return sum;
        });
  }

  @Override
  public byte[] compareSet(String key, byte[] expected, byte[] desired) {
    byte[] name = StoreKeys.encode(key);
    StoreKeys.requireValue(expected);
    StoreKeys.requireValue(desired);
    return exclusively(
        () -> {
          byte[] old = format.read(file(name), name);
          if (old == null && expected.length > 0) {
            return expected.clone();
          }
          if (old != null && !Arrays.equals(old, expected)) {
            return old;
          }
          write(name, desired);
          return desired.clone();
        });
  }

  @Override
  public boolean deleteKey(String key) {
    byte[] name = StoreKeys.encode(key);
    return exclusively(() -> Files.deleteIfExists(file(name)));
  }

  @Override
  public boolean check(Collection<String> keys) {
    return allThere(files(StoreKeys.requireAll(keys)));
  }

  @Override
  public void append(String key, byte[] value) {
    byte[] name = StoreKeys.encode(key);
    StoreKeys.requireValue(value);
    exclusively(
        () -> {
          byte[] old = format.read(file(name), name);
          return write(name, StoreKeys.concat(key, old, value));
        });
  }

  @Override
  public void close() {
    closed.countDown();
  }

  @Override
  public String toString() {
    return "FileStore[" + directory + "]";
  }

  private static Path created(Path directory) throws IOException {
    // Not createDirectories for a link to a directory, which it would refuse as "exists".
    return Files.isDirectory(directory)
        ? directory
        : Files.createDirectories(
            directory, StoreFile.ownerOnlyDirectory(directory.toAbsolutePath()));
  }

  private Path file(byte[] key) {
    return directory.resolve(format.name(key));
  }

  private Path[] files(List<String> keys) {
    return keys.stream().map(key -> file(StoreKeys.encode(key))).toArray(Path[]::new);
  }

  private void await(List<String> keys, Deadline deadline, Duration timeout) {
    Path[] files = files(keys);
    long pauseNanos = FIRST_PAUSE_NANOS;
    int suspect = 0; // the file last found missing; it is checked first
    while (true) {
      int from = suspect;
      suspect = io(() -> firstMissing(files, from));
      if (suspect < 0 && allThere(files)) {
        return;
      }
      suspect = Math.max(0, suspect);
      long leftNanos = deadline.remainingNanos();
      if (leftNanos > 0) {
        pause(Math.min(pauseNanos, leftNanos));
        pauseNanos = Math.min(pauseNanos * 3 / 2, LONGEST_PAUSE_NANOS);
        continue;
      }
      List<String> missing = missing(keys, files);
      if (!missing.isEmpty()) {
        throw new StoreTimeoutException(timeout, missing);
      }
    }
  }

  /** Whether all files are there at one instant, for which several take the lock. */
  private boolean allThere(Path[] files) {
    DirectoryLock.Body<Boolean> look = () -> firstMissing(files, 0) < 0;
    return files.length < 2 ? io(look) : exclusively(look);
  }

  /** The index of a file that is not there as a whole record, looking from {@code first}; or -1. */
  private int firstMissing(Path[] files, int first) throws IOException {
    for (int looked = 0; looked < files.length; looked++) {
      int at = (first + looked) % files.length;
      if (!format.isWhole(files[at])) {
        if (!Files.isDirectory(directory)) {
          throw new NoSuchFileException(directory.toString());
        }
        return at;
      }
    }
    return -1;
  }

  /** The keys that have no file; a file that is not a whole record is an error by now. */
  private List<String> missing(List<String> keys, Path[] files) {
    List<String> missing = new ArrayList<>();
    for (int i = 0; i < files.length; i++) {
      Path file = files[i];
      byte[] name = StoreKeys.encode(keys.get(i));
      if (io(() -> format.read(file, name)) == null) {
        missing.add(keys.get(i));
      }
    }
    return missing;
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

  /** Makes the value visible in one step. Only under the lock. */
  private Void write(byte[] key, byte[] value) throws IOException {
    ByteBuffer record = format.encode(key, value);
    try {
      Files.deleteIfExists(
          temporary); // of a dead process; created anew, never through a link of another user
      try (SeekableByteChannel channel =
          Files.newByteChannel(
              temporary,
              StoreFile.with(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
              StoreFile.ownerOnly(temporary))) {
        while (record.hasRemaining()) {
          channel.write(record);
        }
      }
      replace(temporary, file(key));
    } catch (IOException e) {
      try {
        Files.deleteIfExists(temporary);
      } catch (IOException alsoFailed) {
        e.addSuppressed(alsoFailed);
      }
      throw e;
    }
    return null;
  }

  /**
   * Moves a file to a name that may exist, whose old file is deleted; a reader sees the old or the
   * new one.
   *
   * <p>By {@code rename(2)}, or with the native library by {@code renameat2(2)}, which exchanges
   * the two names, of which one is then deleted. After a rename over an existing file ext4 writes
   * the new content to the disk at once, to survive a power failure, and the next rename waits for
   * that: 3.7 to 4.8 ms beside other load, against 0.03 ms for an exchange. The ranks of a job do
   * not survive a power failure.
   */
  static void replace(Path from, Path to) throws IOException {
    // A directory there could be exchanged as well; a rename refuses it, and reports other causes.
    if (Files.isRegularFile(to) && SystemCalls.exchange(from, to)) {
      Files.delete(from);
    } else {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private <T> T exclusively(DirectoryLock.Body<T> body) {
    return io(() -> lock.exclusively(Deadline.after(timeout), body));
  }

  private <T> T io(DirectoryLock.Body<T> body) {
    if (closed.getCount() == 0) {
      throw new ClosedException(toString() + " is closed");
    }
    try {
      return body.run();
    } catch (ClosedByInterruptException e) {
      throw Interruption.during("in an operation on " + this, e);
    } catch (OwnFileFormat.TornRecordException e) {
      throw new StoreException(e.getMessage(), e);
    } catch (IOException e) {
      if (!Files.isDirectory(directory)) {
        throw new StoreUnavailableException(this + ": the directory does not exist: " + e, e);
      }
      throw new StoreException(this + ": " + e, e);
    }
  }
}
