package io.jgloo.rendezvous.store.file;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Puts a file in the place of another, so that a reader sees the one or the other.
 *
 * <p>By {@code rename(2)}, or on Linux by {@code renameat2(2)}, which exchanges the two names, of
 * which one is then deleted. For ext4 takes a rename over an existing file for a program's attempt
 * to be safe from a power failure and writes the new content to the disk at once, and the next
 * rename waits for that: 3.7 to 4.8 ms beside other load, against 0.03 ms for an exchange. Whoever
 * meets in a directory does not outlive a power failure.
 */
final class FileReplacement {
  private static final Logger LOG = System.getLogger(FileReplacement.class.getName());
  private static final boolean NATIVE = bind();

  private static final int CURRENT_DIRECTORY = -100; // AT_FDCWD
  private static final int EXCHANGE = 2; // RENAME_EXCHANGE

  /** The C library's function; JNA wants its name. */
  private static final class C {
    static native int renameat2(int fromFolder, String from, int toFolder, String to, int flags)
        throws LastErrorException;

    private C() {}
  }

  private FileReplacement() {}

  private static boolean bind() {
    if (!Platform.isLinux()) {
      return false;
    }
    try {
      Native.register(C.class, Platform.C_LIBRARY_NAME);
      return true;
    } catch (LinkageError e) {
      LOG.log(Level.DEBUG, "no renameat2: a file store's writers may wait for the disk", e);
      return false;
    }
  }

  /** Moves a file to where another may be, which is gone then. */
  static void move(Path from, Path to) throws IOException {
    // A directory there could be exchanged as well; a rename refuses it.
    if (NATIVE && Files.isRegularFile(to) && exchanged(from.toString(), to.toString())) {
      Files.delete(from);
    } else {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** False if the other has gone meanwhile, or the file system cannot, as NFS. */
  private static boolean exchanged(String from, String to) {
    try {
      return C.renameat2(CURRENT_DIRECTORY, from, CURRENT_DIRECTORY, to, EXCHANGE) == 0;
    } catch (LastErrorException e) {
      return false; // what is really wrong the rename says that follows
    }
  }
}
