package io.jgloo.transport.shm;

import io.jgloo.transport.library.LibraryFile;
import java.io.IOException;
import java.lang.System.Logger.Level;

/**
 * Copies past the caches, by C: the reader of the bytes finds them in memory.
 *
 * <p>By JNI on every JDK, as a call costs 6 ns there.
 *
 * <p><i>Threads</i>: any.
 */
final class StreamingCopy {

  private static final boolean AVAILABLE = load();

  private StreamingCopy() {}

  /** Whether the library is there; else {@link #copy} must not be called. */
  static boolean isAvailable() {
    return AVAILABLE;
  }

  private static boolean load() {
    try (LibraryFile file = LibraryFile.find(System.getProperties())) {
      System.load(file.path().toString());
      copy(0, 0, 0); // it may be a library of before
      return true;
    } catch (IOException
        | LinkageError
        | UnsupportedOperationException
        | IllegalCallerException e) {
      System.getLogger(StreamingCopy.class.getName())
          .log(Level.DEBUG, "all copies to shared memory are plain ones: {0}", e.toString());
      return false;
    }
  }

  /** Copies bytes between ranges that do not overlap; they are there before any later store. */
  static native void copy(long source, long target, long bytes);
}
