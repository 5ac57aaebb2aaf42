package io.jgloo.transport.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * Ordered accesses to off-heap memory that threads, or processes that map it, share.
 *
 * <p>Java promises an order between threads only. Between processes this relies on coherent shared
 * mappings, on aligned accesses of 8 bytes being atomic, and on the JVM ordering accesses to raw
 * memory as those to the heap.
 *
 * <p><i>Threads</i>: any. No method allocates once compiled. All addresses are multiples of 8, in
 * memory that is mapped; see {@link Memory}.
 */
public final class OrderedMemory {

  private static final MethodHandle GET_LONG_ACQUIRE;
  private static final MethodHandle PUT_LONG_RELEASE;
  private static final MethodHandle COMPARE_AND_SET_LONG;

  static {
    MemoryHandles handles = MemoryHandles.resolve();
    GET_LONG_ACQUIRE = handles.getLongAcquire();
    PUT_LONG_RELEASE = handles.putLongRelease();
    COMPARE_AND_SET_LONG = handles.compareAndSetLong();
  }

  private OrderedMemory() {}

  /** Reads a {@code long} before any later access; pairs with {@link #putLongRelease}. */
  public static long getLongAcquire(long address) {
    try {
      return (long) GET_LONG_ACQUIRE.invokeExact(address);
    } catch (Throwable e) {
      throw Memory.unexpected(e);
    }
  }

  /** Writes a {@code long} after all earlier accesses; pairs with {@link #getLongAcquire}. */
  public static void putLongRelease(long address, long value) {
    try {
      PUT_LONG_RELEASE.invokeExact(address, value);
    } catch (Throwable e) {
      throw Memory.unexpected(e);
    }
  }

  /**
   * Replaces a {@code long} if it has the expected value, as one step in the order of all threads.
   *
   * @return whether it had the expected value
   */
  public static boolean compareAndSetLong(long address, long expected, long value) {
    try {
      return (boolean) COMPARE_AND_SET_LONG.invokeExact(address, expected, value);
    } catch (Throwable e) {
      throw Memory.unexpected(e);
    }
  }

  /** Completes all earlier accesses before any later one, also a store before a load. */
  public static void fullFence() {
    VarHandle.fullFence();
  }
}
