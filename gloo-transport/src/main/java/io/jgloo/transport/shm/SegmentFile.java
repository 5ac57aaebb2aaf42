package io.jgloo.transport.shm;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * What a segment lies in, and the path by which a peer opens it.
 *
 * <p>An anonymous one is a sealed memfd, opened as {@code /proc/PID/fd/N}. It leaves nothing behind
 * when its processes are killed, does not count against the size of {@code /dev/shm}, and a peer
 * cannot truncate it, which would end this process by SIGBUS at the next access. A named one is a
 * file in {@code /dev/shm}, filled by {@code write}, because a file with holes would end the
 * process in the same way if the file system were full. Its name goes when the peer has attached.
 *
 * <p><i>Owns</i>: the descriptor, and the name. A mapping outlives both.
 */
final class SegmentFile implements AutoCloseable {

  /** Named files. */
  static final Path DIRECTORY = Path.of("/dev/shm");

  private static final String MEMFD_NAME = "jgloo";
  private static final String MEMFD_TARGET = "/memfd:" + MEMFD_NAME + " (deleted)";
  private static final int FILL_BYTES = 64 << 10;

  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final FileChannel channel;
  private final String path;
  private final int descriptor; // of a memfd, or -1
  private final Path name; // of a file that is ours to unlink, or null

  private SegmentFile(FileChannel channel, String path, int descriptor, Path name) {
    this.channel = channel;
    this.path = path;
    this.descriptor = descriptor;
    this.name = name;
  }

  /**
   * Makes a file of zeros, with a name or without.
   *
   * @throws IOException with the reason why it cannot be had here
   */
  static SegmentFile create(boolean named, long bytes) throws IOException {
    return named ? named(DIRECTORY, bytes) : anonymous(bytes);
  }

  /** Closes the channel of a memfd at once: the descriptor is what the peer opens. */
  private static SegmentFile anonymous(long bytes) throws IOException {
    checkLibrary();
    int descriptor = -1;
    FileChannel channel = null;
    boolean made = false;
    try {
      descriptor = LibC.memfd_create(MEMFD_NAME, LibC.MFD_CLOEXEC | LibC.MFD_ALLOW_SEALING);
      channel = size("/proc/self/fd/" + descriptor, bytes);
      LibC.fcntl(descriptor, LibC.F_ADD_SEALS, LibC.SEALS);
      String path = "/proc/" + ProcessHandle.current().pid() + "/fd/" + descriptor;
      made = true;
      return new SegmentFile(channel, path, descriptor, null);
    } catch (RuntimeException e) {
      throw new IOException("memfd_create: " + e.getMessage(), e);
    } finally {
      if (!made) {
        close(channel, descriptor);
      }
    }
  }

  private static void checkLibrary() throws IOException {
    if (LibC.ABSENCE != null) {
      throw new IOException(LibC.ABSENCE);
    }
  }

  private static FileChannel size(String path, long bytes) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path, "rw")) {
      file.setLength(bytes);
    }
    return FileChannel.open(Path.of(path), StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  static SegmentFile named(Path directory, long bytes) throws IOException {
    Leftovers.remove(directory);
    Path name = directory.resolve(Leftovers.newName());
    FileChannel channel =
        FileChannel.open(
            name,
            Set.of(
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS),
            OWNER_ONLY);
    boolean made = false;
    try {
      ByteBuffer zeros = ByteBuffer.allocateDirect(FILL_BYTES);
      for (long at = 0; at < bytes; at += zeros.limit()) {
        zeros.clear().limit((int) Math.min(FILL_BYTES, bytes - at));
        while (zeros.hasRemaining()) {
          channel.write(zeros);
        }
      }
      made = true;
      return new SegmentFile(channel, name.toString(), -1, name);
    } finally {
      if (!made) {
        channel.close();
        Files.deleteIfExists(name);
      }
    }
  }

  /**
   * Opens the file that a peer offers.
   *
   * @param bytes that it must have
   * @throws IOException with the reason why it cannot be opened, or is not what is offered
   */
  static SegmentFile open(boolean named, String path, long bytes) throws IOException {
    SegmentFile file = named ? openNamed(path) : openAnonymous(path);
    boolean fits = false;
    try {
      if (file.channel.size() != bytes) {
        throw new IOException(
            path + " has " + file.channel.size() + " bytes, but was offered with " + bytes);
      }
      fits = true;
      return file;
    } finally {
      if (!fits) {
        file.close();
      }
    }
  }

  private static SegmentFile openAnonymous(String path) throws IOException {
    checkLibrary();
    if (!path.matches("/proc/[0-9]+/fd/[0-9]+")) {
      throw new IOException("'" + path + "' is not the path of a descriptor");
    }
    String target = Files.readSymbolicLink(Path.of(path)).toString();
    if (!target.equals(MEMFD_TARGET)) {
      throw new IOException(path + " is " + target + ", not " + MEMFD_TARGET);
    }
    int descriptor = -1;
    FileChannel channel = null;
    boolean opened = false;
    try {
      descriptor = LibC.open(path, LibC.O_RDWR | LibC.O_CLOEXEC);
      int seals = LibC.fcntl(descriptor, LibC.F_GET_SEALS, 0);
      if ((seals & LibC.SEALS) != LibC.SEALS) {
        throw new IOException(path + " is not sealed: it has the seals " + seals);
      }
      channel =
          FileChannel.open(
              Path.of("/proc/self/fd/" + descriptor),
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      opened = true;
      return new SegmentFile(channel, path, descriptor, null);
    } catch (RuntimeException e) {
      throw new IOException("cannot open " + path + ": " + e.getMessage(), e);
    } finally {
      if (!opened) {
        close(channel, descriptor);
      }
    }
  }

  private static SegmentFile openNamed(String path) throws IOException {
    Path name = Path.of(path);
    if (!DIRECTORY.equals(name.getParent()) || !Leftovers.isName(name.getFileName().toString())) {
      throw new IOException("'" + path + "' is not the path of a segment");
    }
    FileChannel channel =
        FileChannel.open(
            name, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    return new SegmentFile(channel, path, -1, null);
  }

  FileChannel channel() {
    return channel;
  }

  /** By which the peer opens it. */
  String path() {
    return path;
  }

  /** It is mapped: a memfd needs one descriptor only from here on, by which peers open it. */
  void mapped() throws IOException {
    if (descriptor >= 0) {
      channel.close();
    }
  }

  /** Closes the descriptor and removes the name; mappings stay. */
  @Override
  public void close() throws IOException {
    try {
      close(channel, descriptor);
    } finally {
      if (name != null) {
        Files.deleteIfExists(name);
      }
    }
  }

  private static void close(FileChannel channel, int descriptor) throws IOException {
    try {
      if (channel != null) {
        channel.close();
      }
    } finally {
      if (descriptor >= 0) {
        LibC.close(descriptor);
      }
    }
  }
}
