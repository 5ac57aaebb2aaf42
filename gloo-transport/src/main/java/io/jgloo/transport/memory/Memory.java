package io.jgloo.transport.memory;

import java.lang.invoke.MethodHandle;
import java.nio.Buffer;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Off-heap memory by address: allocate, free, read, write and copy.
 *
 * <p>All values are in native byte order; no address needs to be aligned. Nothing checks that an
 * address is mapped: a wrong one is a crash of the JVM, so this class belongs below code that has
 * already checked its ranges. Apart from {@link #allocate} and {@link #free}, no method allocates
 * on the heap once compiled.
 *
 * <p>In one file because each access of a type is the same few lines with another constant handle.
 *
 * <p><i>Threads</i>: any; plain accesses, but for three, are without ordering between threads.
 */
public final class Memory {

  /** Bytes of a cache line and of the widest vector: the alignment scratch memory deserves. */
  public static final int CACHE_LINE = 64;

  /**
   * Bytes copied in one go. The JVM cannot reach a safepoint within a copy; 1 MiB keeps that below
   * about 0.2 ms, where a gigabyte in one piece would stop every thread for 0.1 s.
   */
  private static final long COPY_STRIDE = 1 << 20;

  /** Copied word by word: a vector for few bytes touches the cache line behind them, too. */
  private static final long FEW_BYTES = 24;

  private static final MethodHandle GET_BYTE;
  private static final MethodHandle GET_SHORT;
  private static final MethodHandle GET_INT;
  private static final MethodHandle GET_LONG;
  private static final MethodHandle GET_FLOAT;
  private static final MethodHandle GET_DOUBLE;
  private static final MethodHandle PUT_BYTE;
  private static final MethodHandle PUT_SHORT;
  private static final MethodHandle PUT_INT;
  private static final MethodHandle PUT_LONG;
  private static final MethodHandle PUT_FLOAT;
  private static final MethodHandle PUT_DOUBLE;
  private static final MethodHandle FROM_BYTES;
  private static final MethodHandle FROM_SHORTS;
  private static final MethodHandle FROM_INTS;
  private static final MethodHandle FROM_LONGS;
  private static final MethodHandle FROM_FLOATS;
  private static final MethodHandle FROM_DOUBLES;
  private static final MethodHandle TO_BYTES;
  private static final MethodHandle TO_SHORTS;
  private static final MethodHandle TO_INTS;
  private static final MethodHandle TO_LONGS;
  private static final MethodHandle TO_FLOATS;
  private static final MethodHandle TO_DOUBLES;
  private static final MethodHandle COPY;
  private static final MethodHandle ADDRESS_OF;
  private static final MethodHandle ARRAY_OF;
  private static final long ARRAY_ORIGIN;
  private static final MethodHandle GET_LONG_ACQUIRE;
  private static final MethodHandle PUT_LONG_RELEASE;
  private static final MethodHandle COMPARE_AND_SET_LONG;
  private static final MethodHandle MALLOC;
  private static final MethodHandle FREE;

  /**
   * Memory is cleared by copying from a block of zeros, kept for ever: on later JDKs {@code fill}
   * needs a segment for each range, an object that not every compilation removes.
   */
  private static final long ZEROS;

  private static final long ZEROS_BYTES = 16 << 10;

  static {
    MemoryHandles handles = MemoryHandles.resolve();
    GET_BYTE = handles.getter(byte.class);
    GET_SHORT = handles.getter(short.class);
    GET_INT = handles.getter(int.class);
    GET_LONG = handles.getter(long.class);
    GET_FLOAT = handles.getter(float.class);
    GET_DOUBLE = handles.getter(double.class);
    PUT_BYTE = handles.setter(byte.class);
    PUT_SHORT = handles.setter(short.class);
    PUT_INT = handles.setter(int.class);
    PUT_LONG = handles.setter(long.class);
    PUT_FLOAT = handles.setter(float.class);
    PUT_DOUBLE = handles.setter(double.class);
    FROM_BYTES = handles.copyFromArray(byte.class);
    FROM_SHORTS = handles.copyFromArray(short.class);
    FROM_INTS = handles.copyFromArray(int.class);
    FROM_LONGS = handles.copyFromArray(long.class);
    FROM_FLOATS = handles.copyFromArray(float.class);
    FROM_DOUBLES = handles.copyFromArray(double.class);
    TO_BYTES = handles.copyToArray(byte.class);
    TO_SHORTS = handles.copyToArray(short.class);
    TO_INTS = handles.copyToArray(int.class);
    TO_LONGS = handles.copyToArray(long.class);
    TO_FLOATS = handles.copyToArray(float.class);
    TO_DOUBLES = handles.copyToArray(double.class);
    COPY = handles.copy();
    ADDRESS_OF = handles.addressOf();
    ARRAY_OF = handles.arrayOf();
    ARRAY_ORIGIN = handles.arrayOrigin();
    GET_LONG_ACQUIRE = handles.getLongAcquire();
    PUT_LONG_RELEASE = handles.putLongRelease();
    COMPARE_AND_SET_LONG = handles.compareAndSetLong();
    MALLOC = handles.malloc();
    FREE = handles.free();
    ZEROS = zeros();
  }

  /** What {@link #free} must know: where C's block starts, and how many bytes were asked for. */
  private record Block(long start, long bytes, @Nullable MemoryGuard guard) {}

  private static final Map<Long, Block> BLOCKS = new ConcurrentHashMap<>();
  private static final AtomicLong ALLOCATED = new AtomicLong();

  /** Null but in tests; see {@link MemoryGuard}. */
  private static volatile @Nullable MemoryGuard guard;

  private Memory() {}

  /**
   * Allocates memory with undefined contents; the caller owns it until {@link #free}.
   *
   * @param bytes size, at least 0
   * @param alignment a power of two; {@link #CACHE_LINE} unless there is a reason
   * @return the address, a multiple of {@code alignment}, never 0
   * @throws OutOfMemoryError when the process cannot have that much
   */
  public static long allocate(long bytes, long alignment) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes " + bytes + " is negative");
    }
    if (alignment <= 0 || Long.bitCount(alignment) != 1) {
      throw new IllegalArgumentException("alignment " + alignment + " is not a power of two");
    }
    MemoryGuard guardian = guard;
    if (guardian != null && guardian.isExhausted()) {
      throw new OutOfMemoryError("cannot allocate " + bytes + " bytes off-heap: simulated");
    }
    long fence = guardian == null ? 0 : MemoryGuard.BYTES;
    long start;
    try {
      start =
          (long) MALLOC.invokeExact(Math.addExact(Math.max(bytes, 1), alignment - 1 + 2 * fence));
    } catch (ArithmeticException e) {
      start = 0;
    } catch (Throwable e) {
      throw unexpected(e);
    }
    if (start == 0) {
      throw new OutOfMemoryError("cannot allocate " + bytes + " bytes off-heap");
    }
    long address = (start + fence + alignment - 1) & -alignment;
    if (guardian != null) {
      guardian.allocated(address, bytes);
    }
    BLOCKS.put(address, new Block(start, bytes, guardian));
    ALLOCATED.addAndGet(bytes);
    return address;
  }

  /**
   * Gives back memory of {@link #allocate}.
   *
   * @throws IllegalArgumentException when {@code address} is not allocated, as at a second free
   */
  public static void free(long address) {
    Block block = BLOCKS.remove(address);
    if (block == null) {
      throw new IllegalArgumentException(
          "address 0x"
              + Long.toHexString(address)
              + " was not allocated here, or is freed already");
    }
    ALLOCATED.addAndGet(-block.bytes());
    long start =
        block.guard() == null
            ? block.start()
            : block.guard().freed(block.start(), address, block.bytes());
    try {
      FREE.invokeExact(start); // of 0 it does nothing
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Sets what watches over the blocks allocated from now on, or null. */
  static void guard(@Nullable MemoryGuard guardian) {
    guard = guardian;
  }

  /** Bytes allocated and not yet freed in this JVM; leak tests compare it before and after. */
  public static long allocatedBytes() {
    return ALLOCATED.get();
  }

  /**
   * Address of a direct buffer's element 0, whatever its position.
   *
   * <p>The address does not keep the buffer alive: code that stores it must keep the buffer too.
   *
   * @throws IllegalArgumentException when the buffer lies on the heap
   */
  public static long addressOf(Buffer buffer) {
    if (!buffer.isDirect()) {
      throw new IllegalArgumentException("buffer " + buffer + " is not direct, it has no address");
    }
    try {
      return (long) ADDRESS_OF.invokeExact(buffer);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * The array in which the elements of a view lie, as {@link java.nio.ByteBuffer#asFloatBuffer}
   * makes one of a byte buffer on the heap; such a view does not give its array.
   *
   * @param view may be written to
   */
  public static byte[] arrayOf(Buffer view) {
    try {
      return (byte[]) (Object) ARRAY_OF.invokeExact(view);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Index in {@link #arrayOf} of the first byte of a view's element 0. */
  public static int arrayOffsetOf(Buffer view) {
    try {
      return Math.toIntExact((long) ADDRESS_OF.invokeExact(view) - ARRAY_ORIGIN);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Copies bytes; the ranges may overlap, as with C's {@code memmove}. */
  public static void copy(long source, long target, long bytes) {
    try {
      if (target - source >= bytes || source - target >= 0) {
        // Ascending strides are right for disjoint ranges, and when the target lies below.
        while (bytes > COPY_STRIDE) {
          COPY.invokeExact(source, target, COPY_STRIDE);
          source += COPY_STRIDE;
          target += COPY_STRIDE;
          bytes -= COPY_STRIDE;
        }
        for (; bytes <= FEW_BYTES && bytes >= Integer.BYTES; bytes -= Integer.BYTES) {
          putInt(target, getInt(source));
          source += Integer.BYTES;
          target += Integer.BYTES;
        }
      }
      if (bytes != 0) {
        COPY.invokeExact(source, target, bytes);
      }
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Sets every byte of a range to zero. */
  public static void setZero(long address, long bytes) {
    try {
      for (long at = 0; at < bytes; at += ZEROS_BYTES) {
        COPY.invokeExact(ZEROS, address + at, Math.min(bytes - at, ZEROS_BYTES));
      }
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static long zeros() {
    try {
      long zeros = (long) MALLOC.invokeExact(ZEROS_BYTES);
      for (long at = 0; at < ZEROS_BYTES; at += Long.BYTES) {
        PUT_LONG.invokeExact(zeros + at, 0L);
      }
      return zeros;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Reads a {@code byte}. */
  public static byte getByte(long address) {
    try {
      return (byte) GET_BYTE.invokeExact(address);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Writes a {@code byte}. */
  public static void putByte(long address, byte value) {
    try {
      PUT_BYTE.invokeExact(address, value);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Reads a {@code short}. */
  public static short getShort(long address) {
    try {
      return (short) GET_SHORT.invokeExact(address);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Writes a {@code short}. */
  public static void putShort(long address, short value) {
    try {
      PUT_SHORT.invokeExact(address, value);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Reads an {@code int}. */
  public static int getInt(long address) {
    try {
      return (int) GET_INT.invokeExact(address);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Writes an {@code int}. */
  public static void putInt(long address, int value) {
    try {
      PUT_INT.invokeExact(address, value);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Reads a {@code long}. */
  public static long getLong(long address) {
    try {
      return (long) GET_LONG.invokeExact(address);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Writes a {@code long}. */
  public static void putLong(long address, long value) {
    try {
      PUT_LONG.invokeExact(address, value);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Reads a {@code float}. */
  public static float getFloat(long address) {
    try {
      return (float) GET_FLOAT.invokeExact(address);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Writes a {@code float}. */
  public static void putFloat(long address, float value) {
    try {
      PUT_FLOAT.invokeExact(address, value);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Reads a {@code double}. */
  public static double getDouble(long address) {
    try {
      return (double) GET_DOUBLE.invokeExact(address);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Writes a {@code double}. */
  public static void putDouble(long address, double value) {
    try {
      PUT_DOUBLE.invokeExact(address, value);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Copies {@code count} elements of an array, from {@code index} on, to an address. */
  public static void copy(byte[] source, int index, long target, int count) {
    Objects.checkFromIndexSize(index, count, source.length);
    try {
      FROM_BYTES.invokeExact(source, index, target, count);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Copies {@code count} elements from an address into an array, from {@code index} on. */
  public static void copy(long source, byte[] target, int index, int count) {
    Objects.checkFromIndexSize(index, count, target.length);
    try {
      TO_BYTES.invokeExact(source, target, index, count);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Copies {@code count} elements of an array, from {@code index} on, to an address. */
  public static void copy(short[] source, int index, long target, int count) {
    Objects.checkFromIndexSize(index, count, source.length);
    try {
      FROM_SHORTS.invokeExact(source, index, target, count);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Copies {@code count} elements from an address into an array, from {@code index} on. */
  public static void copy(long source, short[] target, int index, int count) {
    Objects.checkFromIndexSize(index, count, target.length);
    try {
      TO_SHORTS.invokeExact(source, target, index, count);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Copies {@code count} elements of an array, from {@code index} on, to an address. */
  public static void copy(int[] source, int index, long target, int count) {
    Objects.checkFromIndexSize(index, count, source.length);
    try {
      FROM_INTS.invokeExact(source, index, target, count);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Copies {@code count} elements from an address into an array, from {@code index} on. */
  public static void copy(long source, int[] target, int index, int count) {
    Objects.checkFromIndexSize(index, count, target.length);
    try {
      TO_INTS.invokeExact(source, target, index, count);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Copies {@code count} elements of an array, from {@code index} on, to an address. */
  public static void copy(long[] source, int index, long target, int count) {
    Objects.checkFromIndexSize(index, count, source.length);
    try {
      FROM_LONGS.invokeExact(source, index, target, count);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Copies {@code count} elements from an address into an array, from {@code index} on. */
  public static void copy(long source, long[] target, int index, int count) {
    Objects.checkFromIndexSize(index, count, target.length);
    try {
      TO_LONGS.invokeExact(source, target, index, count);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Copies {@code count} elements of an array, from {@code index} on, to an address. */
  public static void copy(float[] source, int index, long target, int count) {
    Objects.checkFromIndexSize(index, count, source.length);
    try {
      FROM_FLOATS.invokeExact(source, index, target, count);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Copies {@code count} elements from an address into an array, from {@code index} on. */
  public static void copy(long source, float[] target, int index, int count) {
    Objects.checkFromIndexSize(index, count, target.length);
    try {
      TO_FLOATS.invokeExact(source, target, index, count);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Copies {@code count} elements of an array, from {@code index} on, to an address. */
  public static void copy(double[] source, int index, long target, int count) {
    Objects.checkFromIndexSize(index, count, source.length);
    try {
      FROM_DOUBLES.invokeExact(source, index, target, count);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Copies {@code count} elements from an address into an array, from {@code index} on. */
  public static void copy(long source, double[] target, int index, int count) {
    Objects.checkFromIndexSize(index, count, target.length);
    try {
      TO_DOUBLES.invokeExact(source, target, index, count);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** The handles throw nothing checked; what they do throw is passed on as it is. */
  static RuntimeException unexpected(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    if (thrown instanceof RuntimeException exception) {
      throw exception;
    }
    return new IllegalStateException(thrown);
  }

  // Ordered accesses to memory that threads, or processes that map it, share; addresses are
  // multiples
  // of 8. Java promises an order between threads only. Between processes this relies on coherent
  // shared mappings, on aligned accesses of 8 bytes being atomic, and on the JVM ordering accesses
  // to
  // raw memory as those to the heap.

  /** Reads a {@code long} before any later access; pairs with {@link #putLongRelease}. */
  public static long getLongAcquire(long address) {
    try {
      return (long) GET_LONG_ACQUIRE.invokeExact(address);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Writes a {@code long} after all earlier accesses; pairs with {@link #getLongAcquire}. */
  public static void putLongRelease(long address, long value) {
    try {
      PUT_LONG_RELEASE.invokeExact(address, value);
    } catch (Throwable e) {
      throw unexpected(e);
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
      throw unexpected(e);
    }
  }
}
