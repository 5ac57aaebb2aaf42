package io.jgloo.transport.shm;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;

/**
 * Calls of Linux for memory that has a descriptor and no name.
 *
 * <p><i>Threads</i>: any. <i>Fails</i>: where JNA or the C library lack them, {@link #ABSENCE} says
 * why, and nothing else may be called. An error of a call is JNA's LastErrorException. Callers
 * catch it as a RuntimeException: a class that names it cannot be verified without JNA on the class
 * path, and segments with names need none.
 */
final class LibC {

  static final int MFD_CLOEXEC = 1;
  static final int MFD_ALLOW_SEALING = 2;
  static final int F_ADD_SEALS = 1033;
  static final int F_GET_SEALS = 1034;

  /** Seals against further seals, shrinking and growing. */
  static final int SEALS = 1 | 2 | 4;

  static final int MADV_REMOVE = 9;

  static final int O_RDWR = 2;
  static final int O_CLOEXEC = 0x80000;

  /** Why the calls cannot be made, or null if they can. */
  static final String ABSENCE = register();

  private LibC() {}

  private static String register() {
    try {
      Native.register(LibC.class, "c");
      return null;
    } catch (LinkageError e) {
      return "no calls of the C library: " + e;
    }
  }

  static native int memfd_create(String name, int flags) throws LastErrorException;

  static native int fcntl(int descriptor, int command, int argument) throws LastErrorException;

  static native int open(String path, int flags) throws LastErrorException;

  static native int madvise(long address, long bytes, int advice) throws LastErrorException;

  static native int close(int descriptor) throws LastErrorException;
}
