package io.jgloo.rendezvous.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Opens the files of a store in a directory where other users may have put theirs: regular files
 * only, and no symbolic link. A FIFO would block the caller beyond its timeout, a device has no
 * end, and a link leads to a file that is not the store's.
 *
 * <p>Fails: {@link FileSystemException} that names the path.
 */
final class StoreFile {
  private static final FileAttribute<?>[] NONE = {};

  private StoreFile() {}

  /** Opens a file, which is created with those attributes if the options say so. */
  static FileChannel open(Path file, Set<OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    requireRegular(file);
    Set<OpenOption> noLinks = new HashSet<>(options);
    noLinks.add(LinkOption.NOFOLLOW_LINKS); // for a link made after the check
    return FileChannel.open(file, noLinks, attributes);
  }

  /** Opens a file for reading. */
  static FileChannel open(Path file) throws IOException {
    return open(file, with(StandardOpenOption.READ));
  }

  /** Refuses a path that exists and is no regular file. Returns whether it exists. */
  static boolean requireRegular(Path file) throws IOException {
    BasicFileAttributes found;
    try {
      found = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return false;
    }
    if (!found.isRegularFile()) {
      String kind =
          found.isSymbolicLink()
              ? "a symbolic link"
              : found.isDirectory() ? "a directory" : "a FIFO, socket or device";
      throw new FileSystemException(
          file.toString(), null, "it is " + kind + ", not a regular file");
    }
    return true;
  }

  /**
   * The bytes of a file.
   *
   * @throws NoSuchFileException if there is none
   * @throws OwnFileFormat.TornRecordException if it has more than {@code most} bytes
   */
  static byte[] read(Path file, long most) throws IOException {
    try (FileChannel channel = open(file)) {
      long size = channel.size();
      if (size > most) {
        throw new OwnFileFormat.TornRecordException(
            file, "it has " + size + " bytes, at most " + most + " are allowed");
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) size);
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
      return bytes.hasRemaining() ? Arrays.copyOf(bytes.array(), bytes.position()) : bytes.array();
    }
  }

  /** Whether any user of the machine may put files into the directory. */
  static boolean isOpenToAll(Path directory) throws IOException {
    boolean posix = directory.getFileSystem().supportedFileAttributeViews().contains("posix");
    return posix
        && Files.readAttributes(directory, PosixFileAttributes.class)
            .permissions()
            .contains(PosixFilePermission.OTHERS_WRITE);
  }

  /** Permissions that keep other users of the machine out of a file, where the system has any. */
  static FileAttribute<?>[] ownerOnly(Path path) {
    return attributes(path, "rw-------");
  }

  /** The same of a directory. */
  static FileAttribute<?>[] ownerOnlyDirectory(Path path) {
    return attributes(path, "rwx------");
  }

  /** Options in the form in which they can be given together with attributes. */
  static Set<OpenOption> with(OpenOption... options) {
    return Set.of(options);
  }

  private static FileAttribute<?>[] attributes(Path path, String permissions) {
    boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : NONE;
  }
}
