package io.jgloo.transport.library;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Calls of Linux for which Java has no method, made by the native library.
 *
 * <p><i>Threads</i>: any. <i>Fails</i>: where the library is missing, calls that may throw an
 * {@code IOException} throw that of {@link #check}, which comes before the calls on cores; callers
 * have another way to do without.
 */
public final class SystemCalls {

  private static final int NO_ENTRY = 2;
  private static final int INTERRUPTED = 4;
  private static final int WOULD_BLOCK = 11;

  private static final Charset OF_PATHS = charset();

  private SystemCalls() {}

  private static Charset charset() {
    String name = System.getProperty("sun.jnu.encoding");
    return name != null && Charset.isSupported(name)
        ? Charset.forName(name)
        : Charset.defaultCharset();
  }

  /** Whether the calls can be made. */
  public static boolean isAvailable() {
    return JniCalls.isAvailable();
  }

  /**
   * Checks that the calls can be made.
   *
   * @throws IOException with the reason why they cannot
   */
  public static void check() throws IOException {
    Throwable cause = JniCalls.unavailabilityCause().orElse(null);
    if (cause != null) {
      throw new IOException("no calls of the C library: " + cause, cause);
    }
  }

  private static byte[] bytes(Path path) {
    byte[] name = path.toString().getBytes(OF_PATHS);
    return Arrays.copyOf(name, name.length + 1);
  }

  private static int checked(String call, int result) throws IOException {
    if (result < 0) {
      throw new IOException(call + ": [" + -result + "] " + message(-result));
    }
    return result;
  }

  /** Makes memory without a name that nobody can shrink, grow or seal; returns its descriptor. */
  public static int createSealedMemory(long bytes) throws IOException {
    check();
    return checked("memfd_create", createMemory(bytes));
  }

  /** Opens the sealed memory of another process by the path of its descriptor. */
  public static int openSealedMemory(Path path) throws IOException {
    check();
    return checked("cannot open " + path + " as sealed memory", openMemory(bytes(path)));
  }

  /** Gives the pages of sealed memory back to the system, which reads as zeros from here on. */
  public static void discard(long address, long bytes) throws IOException {
    check();
    int unused = checked("madvise", discardMemory(address, bytes));
  }

  /** Closes a descriptor that a method of this class has returned. */
  public static void close(int descriptor) throws IOException {
    int unused = checked("close", closeDescriptor(descriptor));
  }

  /**
   * Opens a file and takes its lock of {@code flock(2)}, without blocking.
   *
   * @param exclusive for writing, which creates the file if it is missing; else for reading
   * @return a descriptor that holds the lock, or -1 if another one holds it
   * @throws NoSuchFileException if the file is missing
   */
  public static int tryLock(Path file, boolean exclusive) throws IOException {
    check();
    int result = lock(bytes(file), exclusive);
    return switch (-result) {
      case WOULD_BLOCK, INTERRUPTED -> -1;
      case NO_ENTRY -> throw new NoSuchFileException(file.toString());
      default -> checked("cannot lock " + file, result);
    };
  }

  /** Exchanges two names; false if one is missing, or the file system has no exchange, as NFS. */
  public static boolean exchange(Path one, Path other) {
    return isAvailable() && exchangeNames(bytes(one), bytes(other)) == 0;
  }

  private static native String message(int error);

  private static native int createMemory(long bytes);

  private static native int openMemory(byte[] path);

  private static native int discardMemory(long address, long bytes);

  private static native int closeDescriptor(int descriptor);

  private static native int lock(byte[] path, boolean exclusive);

  private static native int exchangeNames(byte[] one, byte[] other);

  /** The core that the calling thread runs on; negative if it is not known. */
  public static native int core();

  /**
   * How often another thread has had the core while the calling thread could run, by its yields or
   * otherwise.
   */
  public static native long preemptions();

  /**
   * Moves the calling thread to another of the cores it may run on, where the kernel may move it
   * again: what it is allowed is afterwards as before.
   *
   * @return 1 if there is another, 0 if not, negative if the former core could not be allowed again
   */
  public static native int leaveCore();
}
