package io.jgloo.transport.library;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * What the native library does with Java arrays where they are. The collector is kept from moving
 * an array during a call and may have to wait for it (G1 does before JDK 22), so callers give at
 * most {@link #MOST_BYTES} at a time.
 *
 * <p>JNI, because it is what reaches an array's elements on every JDK; JNA copies the array.
 *
 * <p><i>Threads</i>: any.
 */
public final class ArrayCalls {

  /** Longest part of an array for one call. */
  public static final int MOST_BYTES = 1 << 20;

  private static final int VERSION = 1;

  private static final boolean AVAILABLE = load();

  private ArrayCalls() {}

  /** Whether the library is there; one log line says why not. Without it arrays are copied. */
  public static boolean isAvailable() {
    return AVAILABLE;
  }

  private static boolean load() {
    try (LibraryFile file = LibraryFile.find(System.getProperties())) {
      System.load(file.path().toString());
      int version = version();
      if (version != VERSION) {
        throw new UnsatisfiedLinkError(file.path() + " has version " + version);
      }
      return true;
    } catch (IOException
        | LinkageError
        | UnsupportedOperationException
        | IllegalCallerException e) {
      Logger log = System.getLogger(ArrayCalls.class.getName());
      log.log(Level.INFO, "heap arrays are copied to be sent, no native calls: {0}", e.toString());
      return false;
    }
  }

  private static native int version();

  /**
   * Reduces memory into part of an array.
   *
   * @param handle of a kernel
   * @param offset of the first byte in the array
   * @param count elements
   */
  public static native void reduce(int handle, Object array, long offset, long source, long count);

  /**
   * Sends what fits of memory and part of an array behind it; the descriptor must not block.
   *
   * @return bytes sent of both together, or the error as a negative number
   */
  public static native int send(
      int descriptor, long first, int firstLength, Object array, long offset, int length);
}
