package io.jgloo.rendezvous.store.file;

import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Permissions that keep other users of the machine out of a store's files, where the system has
 * any.
 */
final class OwnerOnly {
  private static final FileAttribute<?>[] NONE = {};

  private OwnerOnly() {}

  static FileAttribute<?>[] file(Path path) {
    return attributes(path, "rw-------");
  }

  static FileAttribute<?>[] directory(Path path) {
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
