package io.jgloo.transport.memory;

import io.jgloo.transport.library.JniCalls;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/**
 * The raw-memory operations one JDK offers, as method handles for {@link Memory} to keep as
 * constants.
 *
 * <p>Handles rather than a virtual call per access: {@code invokeExact} on a {@code static final}
 * handle is inlined by C2 down to the single load or store, whichever JDK supplied it.
 */
interface MemoryHandles {

  /** The first JDK release whose {@code java.lang.foreign} is final. */
  int FIRST_FOREIGN_RELEASE = 22;

  /**
   * Handles from {@code java.lang.foreign} where it exists, from {@code jdk.unsupported} elsewhere.
   */
  static MemoryHandles resolve() {
    try {
      return Runtime.version().feature() >= FIRST_FOREIGN_RELEASE
          ? new ForeignHandles()
          : new UnsafeHandles();
    } catch (InvocationTargetException e) {
      throw unavailable(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw unavailable(e);
    }
  }

  /** An error, which leaves the initializer of {@link Memory} as it is. */
  private static IllegalAccessError unavailable(@Nullable Throwable cause) {
    String remedy =
        Runtime.version().feature() >= FIRST_FOREIGN_RELEASE
            ? "start java with " + JniCalls.PERMISSION
            : "add module jdk.unsupported";
    IllegalAccessError error =
        new IllegalAccessError(
            "no access to memory off the heap on Java "
                + Runtime.version()
                + ": "
                + remedy
                + " ("
                + cause
                + ")");
    error.initCause(cause);
    return error;
  }

  /** {@code (long address)carrier}, unaligned, native byte order. */
  MethodHandle getter(Class<?> carrier);

  /** {@code (long address, carrier value)void}, unaligned, native byte order. */
  MethodHandle setter(Class<?> carrier);

  /** {@code (long source, long target, long bytes)void}, as C's {@code memmove}. */
  MethodHandle copy();

  /** {@code (carrier[] source, int index, long target, int count)void}; bounds already checked. */
  MethodHandle copyFromArray(Class<?> carrier);

  /** {@code (long source, carrier[] target, int index, int count)void}; bounds already checked. */
  MethodHandle copyToArray(Class<?> carrier);

  /**
   * {@code (Buffer buffer)long}: address of element 0 of a buffer known to be direct; of a view of
   * a heap byte buffer, where it lies in the array, counted from {@link #arrayOrigin} on.
   */
  MethodHandle addressOf();

  /** {@code (Buffer view)Object}: the array below a view of a heap byte buffer. */
  MethodHandle arrayOf();

  /** What {@link #addressOf} gives for the first byte of an array of bytes. */
  long arrayOrigin();

  /** {@code (long bytes)long}: C's {@code malloc}; 0 or {@link OutOfMemoryError} when it fails. */
  MethodHandle malloc();

  /** {@code (long address)void}: C's {@code free}. */
  MethodHandle free();

  /** {@code (long address)long}: an aligned load with acquire semantics. */
  MethodHandle getLongAcquire();

  /** {@code (long address, long value)void}: an aligned store with release semantics. */
  MethodHandle putLongRelease();

  /** {@code (long address, long expected, long value)boolean}: aligned, as volatile accesses. */
  MethodHandle compareAndSetLong();
}
