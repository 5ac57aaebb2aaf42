package io.jgloo.transport;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** Reads a file that only its owner may access, as far as the system has owners and modes. */
final class SecretFile {

  private static final Path PROCESS = Path.of("/proc/self"); // only Linux has it
  private static final int LINE_ENDS = 16;
  private static final int GROUP_AND_OTHERS = 077;
  private static final int ALL_BUT_GROUP_READ = 037;

  private SecretFile() {}

  /** At most a few bytes more than a secret may have. */
  static byte[] read(Path file) {
    try {
      if (!Files.exists(file)) {
        throw new UnavailableException("the secret file " + file + " does not exist");
      }
      if (!Files.isRegularFile(file)) {
        throw new IllegalArgumentException(file + " must be a regular file");
      }
      requirePrivate(file, "the secret file ");
      try (InputStream in = Files.newInputStream(file)) {
        return in.readNBytes(JobSecret.MAX_BYTES + LINE_ENDS);
      }
    } catch (IOException e) {
      throw new UnavailableException("cannot read the secret file " + file + ": " + e, e);
    }
  }

  /**
   * Links are followed: a secret that Kubernetes mounts is one.
   *
   * @param what the file is, in exceptions
   */
  static void requirePrivate(Path file, String what) throws IOException {
    if (!file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return;
    }
    Map<String, Object> attributes = Files.readAttributes(file, "unix:mode,uid");
    int mode = (int) Objects.requireNonNull(attributes.get("mode")) & 0777;
    int owner = (int) Objects.requireNonNull(attributes.get("uid"));
    int own = Files.exists(PROCESS) ? (int) Files.getAttribute(PROCESS, "unix:uid") : owner;
    if (owner != own && owner != 0) {
      throw new IllegalArgumentException(
          (what + file + " must be owned by this process's user " + own)
              + (" or by root, is owned by user " + owner));
    }
    if ((mode & (owner == 0 ? ALL_BUT_GROUP_READ : GROUP_AND_OTHERS)) != 0) {
      throw new IllegalArgumentException(
          String.format(
              "%s%s must not be accessible by others: its mode must be at most %s, is %04o",
              what, file, owner == 0 ? "0640, as it is root's" : "0600", mode));
    }
  }
}
