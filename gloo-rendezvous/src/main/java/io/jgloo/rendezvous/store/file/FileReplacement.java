package io.jgloo.rendezvous.store.file;

import io.jgloo.transport.library.SystemCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Replaces a file by another, so that a reader sees the old or the new one.
 *
 * <p>By {@code rename(2)}, or with the native library by {@code renameat2(2)}, which exchanges the
 * two names, of which one is then deleted. After a rename over an existing file ext4 writes the new
 * content to the disk at once, to survive a power failure, and the next rename waits for that: 3.7
 * to 4.8 ms beside other load, against 0.03 ms for an exchange. The ranks of a job do not survive a
 * power failure.
 */
final class FileReplacement {

  private FileReplacement() {}

  /** Moves a file to a name that may exist, whose old file is deleted. */
  static void move(Path from, Path to) throws IOException {
    // A directory there could be exchanged as well; a rename refuses it, and reports other causes.
    if (Files.isRegularFile(to) && SystemCalls.exchange(from, to)) {
      Files.delete(from);
    } else {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }
  }
}
