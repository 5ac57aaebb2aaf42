package io.jgloo.transport.shm;

import io.jgloo.transport.library.SystemCalls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file of a segment, and the path by which a peer opens it.
 *
 * <p>An anonymous one is a sealed memfd, opened as {@code /proc/PID/fd/N}. It leaves nothing behind
 * when its processes are killed, does not count against the size of {@code /dev/shm}, and a peer
 * cannot truncate it, which would end this process by SIGBUS at the next access. A named one is a
 * file in {@code /dev/shm}, filled by {@code write}, because a file with holes would end the
 * process in the same way if the file system were full. Its name goes when the peer has attached.
 * It holds the pid namespace, the pid and the start time of its process, so that files of processes
 * that were killed can be removed. Files of another pid namespace are left alone: their processes
 * cannot be seen from here.
 *
 * <p><i>Owns</i>: the descriptor, and the name. A mapping outlives both.
 */
final class SegmentFile implements AutoCloseable {

  /** Named files. */
  static final Path DIRECTORY = Path.of("/dev/shm");

  private static final String MEMFD_TARGET = "/memfd:jgloo (deleted)"; // its name is in system.c
  private static final int FILL_BYTES = 64 << 10;

  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private static final Pattern NAME =
      Pattern.compile("jgloo-([0-9]+)-([0-9]+)-([0-9]+)-[0-9a-f]{16}");

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int START_TIME_FIELD = 19; // behind the command, from 0

  /** Inode of this process's pid namespace: within one, a pid means the same process to all. */
  private static final long PID_NAMESPACE = readPidNamespace();

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
    int descriptor = SystemCalls.createSealedMemory(bytes);
    return memory("/proc/" + ProcessHandle.current().pid() + "/fd/" + descriptor, descriptor);
  }

  private static SegmentFile memory(String path, int descriptor) throws IOException {
    FileChannel channel = null;
    try {
      channel =
          FileChannel.open(
              Path.of("/proc/self/fd/" + descriptor),
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      return new SegmentFile(channel, path, descriptor, null);
    } finally {
      if (channel == null) {
        SystemCalls.close(descriptor);
      }
    }
  }

  static SegmentFile named(Path directory, long bytes) throws IOException {
    removeLeftovers(directory);
    Path name = directory.resolve(newName());
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
    if (!path.matches("/proc/[0-9]+/fd/[0-9]+")) {
      throw new IOException("'" + path + "' is not the path of a descriptor");
    }
    String target = Files.readSymbolicLink(Path.of(path)).toString();
    if (!target.equals(MEMFD_TARGET)) {
      throw new IOException(path + " is " + target + ", not " + MEMFD_TARGET);
    }
    return memory(path, SystemCalls.openSealedMemory(Path.of(path)));
  }

  private static SegmentFile openNamed(String path) throws IOException {
    Path name = Path.of(path);
    if (!DIRECTORY.equals(name.getParent()) || !isName(name.getFileName().toString())) {
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
      channel.close();
    } finally {
      if (descriptor >= 0) {
        SystemCalls.close(descriptor);
      }
      if (name != null) {
        Files.deleteIfExists(name);
      }
    }
  }

  // Names.

  /** The inode of this process's pid namespace, or 0 if it cannot be known. */
  static long pidNamespace() {
    return PID_NAMESPACE;
  }

  private static long readPidNamespace() {
    try {
      String link = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
      return Long.parseLong(link.replaceAll("[^0-9]", "")); // pid:[4026531836]
    } catch (IOException | NumberFormatException e) {
      return 0;
    }
  }

  /** A name that no other file has. */
  static String newName() throws IOException {
    byte[] random = new byte[8];
    RANDOM.nextBytes(random);
    long pid = ProcessHandle.current().pid();
    return "jgloo-%d-%d-%s-%s"
        .formatted(
            pidNamespace(), pid, startTime(Long.toString(pid)), HexFormat.of().formatHex(random));
  }

  private static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /**
   * Removes the files of processes of this pid namespace that have ended, as far as this user may.
   */
  static void removeLeftovers(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "jgloo-*")) {
      for (Path file : files) {
        if (isOfDead(file.getFileName().toString())) {
          removeIfAllowed(file);
        }
      }
    }
  }

  private static void removeIfAllowed(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // It is of another user, whose next process removes it.
    }
  }

  private static boolean isOfDead(String name) {
    Matcher parts = NAME.matcher(name);
    if (!parts.matches() || !parts.group(1).equals(Long.toString(pidNamespace()))) {
      return false;
    }
    try {
      return !startTime(parts.group(2)).equals(parts.group(3));
    } catch (IOException e) {
      return true; // no such process
    }
  }

  /** Clock ticks since the host was booted; see proc(5), stat. */
  private static String startTime(String pid) throws IOException {
    String stat = Files.readString(Path.of("/proc", pid, "stat"));
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[START_TIME_FIELD];
  }
}
