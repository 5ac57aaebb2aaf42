package io.jgloo.transport.library;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;

/**
 * The functions of the native library for bytes, which Java calls by JNI: 6 ns a call, where JNA's
 * direct mapping takes 116. On JDK 25 a call of {@code java.lang.foreign} takes 0.3 ns less.
 *
 * <p>All are in the class that loads the library, once in each class loader: JNI finds a native
 * method in the libraries of its class's loader alone, and callers may have another one. The JVM
 * gives a file to one class loader only; one that is unpacked from the jar is a file of its own.
 *
 * <p>Functions on arrays keep the collector from moving the array during the call, for which it may
 * have to wait (G1 does before JDK 22), so callers give at most {@link #MOST_ARRAY_BYTES} at a
 * time.
 *
 * <p><i>Threads</i>: any.
 */
public final class JniCalls {

  /** Longest part of an array for one call. */
  public static final int MOST_ARRAY_BYTES = 1 << 20;

  /** Of the functions and codes, as in jni.c. */
  private static final int VERSION = 5;

  /** Options of java that permit the library, as docs/operations.md names them. */
  public static final String PERMISSION =
      "--enable-native-access=ALL-UNNAMED, or on the module path with"
          + " --enable-native-access=io.netty.common,io.jgloo.transport";

  private static final Optional<Throwable> CAUSE = load();

  /** Constant for the compiler. */
  private static final boolean AVAILABLE = CAUSE.isEmpty();

  private JniCalls() {}

  /** Whether the library is there, without which no other method may be called. */
  public static boolean isAvailable() {
    return AVAILABLE;
  }

  /** Why the library is not there, which a log line has said; empty if it is. */
  public static Optional<Throwable> unavailabilityCause() {
    return CAUSE;
  }

  private static Optional<Throwable> load() {
    Logger log = System.getLogger(JniCalls.class.getName());
    try (LibraryFile file = LibraryFile.find(System.getProperties())) {
      System.load(file.path().toString());
      int version = version();
      if (version != VERSION) {
        throw new UnsatisfiedLinkError(
            file.path() + " has version " + version + ", needed is " + VERSION);
      }
      log.log(Level.DEBUG, "native library {0}", file.path());
      return Optional.empty();
    } catch (IllegalCallerException e) {
      return absent(
          log, new IllegalCallerException("start java with " + PERMISSION + " (" + e + ")", e));
    } catch (IOException | LinkageError | UnsupportedOperationException e) {
      return absent(log, e);
    }
  }

  private static Optional<Throwable> absent(Logger log, Throwable cause) {
    log.log(
        Level.INFO,
        "no native library, Java code does its work (float sums at a third of the speed, float16 at"
            + " a fiftieth; no memfd, flock and choice of cores): {0}",
        cause.toString());
    return Optional.of(cause);
  }

  private static native int version();

  /** The highest level of kernels that this CPU has: 0 baseline, 1 AVX2, 2 AVX-512. */
  public static native int kernelLevel();

  /** A handle for reductions; negative if this CPU has no such kernel. */
  public static native int kernel(int level, int type, int op);

  /**
   * Reduces memory into memory.
   *
   * @param handle of a kernel
   * @param count elements
   */
  public static native void reduce(int handle, long target, long source, long count);

  /** The same past the caches: the target is in memory then, before any later store. */
  public static native void reducePastCaches(int handle, long target, long source, long count);

  /**
   * Reduces memory into part of an array.
   *
   * @param handle of a kernel
   * @param offset of the first byte in the array
   * @param count elements
   */
  public static native void reduceArray(
      int handle, Object array, long offset, long source, long count);

  /**
   * Reduces memory into memory by a function of the user's: {@code target = f(target, source)}.
   *
   * @param function its address, of C type {@code void (*)(const char *source, char *target,
   *     int32_t granule, int32_t bytes)}
   * @param granule bytes of an element
   * @param bytes a multiple of the granule
   */
  public static native void callReduction(
      long function, long target, long source, int granule, int bytes);

  /**
   * Sends what fits of memory and part of an array behind it; the descriptor must not block.
   *
   * @return bytes sent of both together, or the error as a negative number
   */
  public static native int sendArray(
      int descriptor, long first, int firstLength, Object array, long offset, int length);

  /**
   * Copies past the caches between ranges that do not overlap: the reader finds the bytes in
   * memory. They are there before any later store.
   */
  public static native void streamingCopy(long source, long target, long bytes);
}
