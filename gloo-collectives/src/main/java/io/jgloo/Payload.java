package io.jgloo;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.Retainable;
import io.jgloo.collectives.execution.Region;
import io.jgloo.collectives.execution.Staged;
import io.jgloo.transport.memory.Memory;
import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Elements of one type that lie somewhere in memory: what collectives and messages work on.
 *
 * <p>Made from arrays (all of it, or offset and length in elements), from buffers (the elements
 * from position to limit, which no call moves), or from an address. Memory off the heap is worked
 * on in place; heap memory is copied through staging memory, 64 KiB at a time.
 *
 * <p>A payload always describes the same memory, and no call changes or invalidates it. A program
 * that calls with the same memory again keeps the payload and reuses it; such a call allocates
 * nothing. Calls in progress at the same time may share a payload if they only read its elements.
 *
 * <p>In one file because users make payloads of all kinds of memory by the same static method.
 *
 * <p><em>Threads</em>: any; immutable, the elements aside. <em>Owns</em>: nothing; keeps the object
 * it was made from reachable.
 */
public final class Payload {

  /** No memory: what is loaded is zero, what is stored is lost. */
  private static final Staged ZEROS =
      new Staged() {
        @Override
        public void load(long offset, long target, long bytes) {
          Memory.setZero(target, bytes);
        }

        @Override
        public void store(long source, long offset, long bytes) {}

        @Override
        public String toString() {
          return "zeros";
        }
      };

  private static final long COPY_BYTES = 64 << 10;

  private final Region region = new Region();

  @SuppressWarnings("NullAway.Init") // set with the memory
  private DataType type;

  private long count;

  /** A payload without elements, for {@link #set}. */
  Payload() {}

  /** Elements that are copied through staging memory in a way of their own. */
  Payload(DataType type, long count, Staged staged) {
    this.type = type;
    this.count = count;
    region.staged(staged, count * type.bytes());
  }

  /** All elements of the array. */
  public static Payload of(float[] x) {
    return new Payload().set(Arguments.present("array", x));
  }

  /**
   * {@code length} elements from {@code offset} on.
   *
   * @throws IllegalArgumentException if they do not lie within the array
   */
  public static Payload of(float[] x, int offset, int length) {
    return new Payload().set(x, offset, length);
  }

  /** All elements of the array. */
  public static Payload of(double[] x) {
    return new Payload().set(Arguments.present("array", x));
  }

  /**
   * {@code length} elements from {@code offset} on.
   *
   * @throws IllegalArgumentException if they do not lie within the array
   */
  public static Payload of(double[] x, int offset, int length) {
    return new Payload().set(x, offset, length);
  }

  /** All elements of the array. */
  public static Payload of(int[] x) {
    return new Payload().set(Arguments.present("array", x));
  }

  /**
   * {@code length} elements from {@code offset} on.
   *
   * @throws IllegalArgumentException if they do not lie within the array
   */
  public static Payload of(int[] x, int offset, int length) {
    return new Payload().set(x, offset, length);
  }

  /** All elements of the array. */
  public static Payload of(long[] x) {
    return new Payload().set(Arguments.present("array", x));
  }

  /**
   * {@code length} elements from {@code offset} on.
   *
   * @throws IllegalArgumentException if they do not lie within the array
   */
  public static Payload of(long[] x, int offset, int length) {
    return new Payload().set(x, offset, length);
  }

  /** All elements of the array, as {@link DataType#INT8}. */
  public static Payload of(byte[] x) {
    return new Payload().set(Arguments.present("array", x));
  }

  /**
   * {@code length} elements from {@code offset} on, as {@link DataType#INT8}.
   *
   * @throws IllegalArgumentException if they do not lie within the array
   */
  public static Payload of(byte[] x, int offset, int length) {
    return new Payload().set(x, offset, length);
  }

  /**
   * Elements of any type in native byte order, {@code length} bytes from {@code offset} on.
   *
   * @throws IllegalArgumentException if they do not lie within the array, or length is no whole
   *     number of elements
   */
  public static Payload of(byte[] x, int offset, int length, DataType type) {
    Arguments.range("array", Arguments.present("array", x).length, offset, length);
    return new Payload().bytes(x, offset, length, Arguments.present("type", type));
  }

  /**
   * The elements from position to limit.
   *
   * @throws IllegalArgumentException if it is read-only or not in native byte order
   */
  public static Payload of(FloatBuffer x) {
    return new Payload().set(x);
  }

  /**
   * The elements from position to limit.
   *
   * @throws IllegalArgumentException if it is read-only or not in native byte order
   */
  public static Payload of(DoubleBuffer x) {
    return new Payload().set(x);
  }

  /**
   * The elements from position to limit.
   *
   * @throws IllegalArgumentException if it is read-only or not in native byte order
   */
  public static Payload of(IntBuffer x) {
    return new Payload().set(x);
  }

  /**
   * The elements from position to limit.
   *
   * @throws IllegalArgumentException if it is read-only or not in native byte order
   */
  public static Payload of(LongBuffer x) {
    return new Payload().set(x);
  }

  /**
   * The bytes from position to limit, a whole number of elements in native byte order.
   *
   * @throws IllegalArgumentException if it is read-only, not in native byte order, or holds no
   *     whole number of elements
   */
  public static Payload of(ByteBuffer x, DataType type) {
    return new Payload().set(x, type);
  }

  /**
   * Elements at an address, as native runtimes hand out.
   *
   * @param address of the first element; need not be aligned
   * @param keepAlive object that keeps the memory allocated while it is reachable, held until the
   *     call has ended; a {@link Retainable} if the memory can be freed while it is reachable; or
   *     null if nothing can free it meanwhile
   * @throws IllegalArgumentException if count is negative, or address is 0 and count is not
   */
  public static Payload ofAddress(
      long address, long count, DataType type, @Nullable Object keepAlive) {
    Arguments.present("type", type);
    if (count < 0 || count > Long.MAX_VALUE / type.bytes()) {
      throw new IllegalArgumentException("count must not be negative, but is " + count);
    }
    if (address == 0 && count > 0) {
      throw new IllegalArgumentException("address must not be 0 for " + count + " elements");
    }
    return new Payload().off(type, count, address, keepAlive);
  }

  /**
   * Several vectors of one type end to end, as one: many small ones cost one call then, not many.
   * Unless they lie one behind the other off the heap they are copied through staging memory, so
   * for large ones off the heap calls of their own are faster. All ranks must join the same counts
   * in total.
   *
   * @param parts not empty, and without a byte in common
   * @throws IllegalArgumentException if there are none, their types differ, or they overlap
   */
  public static Payload ofAll(List<Payload> parts) {
    return JoinedMemory.join(parts);
  }

  /**
   * Zeros that occupy no memory: a contribution without effect on a sum. What a call writes there
   * is discarded.
   *
   * @param count 0 or more
   * @throws IllegalArgumentException if count is negative
   */
  public static Payload zeros(DataType type, long count) {
    Arguments.present("type", type);
    if (count < 0 || count > Long.MAX_VALUE / type.bytes()) {
      throw new IllegalArgumentException("count must not be negative, but is " + count);
    }
    return new Payload(type, count, ZEROS);
  }

  /**
   * The same float32 elements, sent as a type of half the size: they are rounded to nearest even
   * when a call reads them, and its result is converted back. Of float16, what exceeds 65504
   * becomes infinite, and so may a sum; bfloat16 has the range of float32, and 8 significant bits
   * in place of 24. The conversion is part of the copy through staging memory, block by block, and
   * needs no memory for the whole vector. All ranks must narrow to the same type.
   *
   * @param type FLOAT16 or BFLOAT16
   * @throws IllegalArgumentException if it is another type, or these elements are not float32
   */
  public Payload narrowed(DataType type) {
    return NarrowMemory.of(this, type);
  }

  Payload set(float[] x) {
    return heap(DataType.FLOAT32, x, 0, x.length);
  }

  Payload set(float[] x, int offset, int length) {
    Arguments.range("array", Arguments.present("array", x).length, offset, length);
    return heap(DataType.FLOAT32, x, offset, length);
  }

  Payload set(double[] x) {
    return heap(DataType.FLOAT64, x, 0, x.length);
  }

  Payload set(double[] x, int offset, int length) {
    Arguments.range("array", Arguments.present("array", x).length, offset, length);
    return heap(DataType.FLOAT64, x, offset, length);
  }

  Payload set(int[] x) {
    return heap(DataType.INT32, x, 0, x.length);
  }

  Payload set(int[] x, int offset, int length) {
    Arguments.range("array", Arguments.present("array", x).length, offset, length);
    return heap(DataType.INT32, x, offset, length);
  }

  Payload set(long[] x) {
    return heap(DataType.INT64, x, 0, x.length);
  }

  Payload set(long[] x, int offset, int length) {
    Arguments.range("array", Arguments.present("array", x).length, offset, length);
    return heap(DataType.INT64, x, offset, length);
  }

  Payload set(byte[] x) {
    return heap(DataType.INT8, x, 0, x.length);
  }

  Payload set(byte[] x, int offset, int length) {
    Arguments.range("array", Arguments.present("array", x).length, offset, length);
    return heap(DataType.INT8, x, offset, length);
  }

  Payload set(FloatBuffer x) {
    Arguments.usable(x, x == null ? null : x.order());
    return x.hasArray()
        ? heap(DataType.FLOAT32, x.array(), x.arrayOffset() + x.position(), x.remaining())
        : view(DataType.FLOAT32, x);
  }

  Payload set(DoubleBuffer x) {
    Arguments.usable(x, x == null ? null : x.order());
    return x.hasArray()
        ? heap(DataType.FLOAT64, x.array(), x.arrayOffset() + x.position(), x.remaining())
        : view(DataType.FLOAT64, x);
  }

  Payload set(IntBuffer x) {
    Arguments.usable(x, x == null ? null : x.order());
    return x.hasArray()
        ? heap(DataType.INT32, x.array(), x.arrayOffset() + x.position(), x.remaining())
        : view(DataType.INT32, x);
  }

  Payload set(LongBuffer x) {
    Arguments.usable(x, x == null ? null : x.order());
    return x.hasArray()
        ? heap(DataType.INT64, x.array(), x.arrayOffset() + x.position(), x.remaining())
        : view(DataType.INT64, x);
  }

  Payload set(ByteBuffer x, DataType type) {
    Arguments.present("type", type);
    ByteOrder order = x == null || type.bytes() > 1 ? null : ByteOrder.nativeOrder();
    Arguments.usable(x, x == null || order != null ? order : x.order());
    if (x.hasArray()) {
      return bytes(x.array(), x.arrayOffset() + x.position(), x.remaining(), type);
    }
    long count = whole(x.remaining(), type);
    return off(type, count, Memory.addressOf(x) + x.position(), x);
  }

  private Payload bytes(byte[] array, int first, int length, DataType type) {
    count = whole(length, type);
    this.type = type;
    region.heap(array, first, 1, length);
    return this;
  }

  private static long whole(int length, DataType type) {
    if (length % type.bytes() != 0) {
      throw new IllegalArgumentException(
          ("a buffer of " + length + " bytes from position to limit")
              + (" does not hold a whole number of " + Arguments.name(type)));
    }
    return length / type.bytes();
  }

  private Payload heap(DataType type, Object holder, int first, int length) {
    this.type = type;
    count = length;
    region.heap(holder, first, type.bytes(), bytes());
    return this;
  }

  private Payload view(DataType type, Buffer x) {
    if (!x.isDirect()) {
      int first = Memory.arrayOffsetOf(x) + x.position() * type.bytes();
      return bytes(Memory.arrayOf(x), first, x.remaining() * type.bytes(), type);
    }
    long start = Memory.addressOf(x) + (long) x.position() * type.bytes();
    return off(type, x.remaining(), start, x);
  }

  private Payload off(DataType type, long count, long address, @Nullable Object keepAlive) {
    this.type = type;
    this.count = count;
    region.at(count == 0 ? 0 : address, bytes(), keepAlive);
    return this;
  }

  /** Forgets the memory, so that it can be collected. */
  void clear() {
    region.at(0, 0, null);
  }

  /** Type of the elements. */
  public DataType type() {
    return type;
  }

  /** Number of elements. */
  public long count() {
    return count;
  }

  /** Length in bytes. */
  public long bytes() {
    return count * type.bytes();
  }

  /** Whether it is copied through staging memory: on the Java heap, or in several places. */
  public boolean staged() {
    return region.isStaged();
  }

  /** Where the elements are. */
  Region region() {
    return region;
  }

  /** Whether the two have bytes in common. */
  boolean overlaps(Payload other) {
    if (count == 0 || other.count == 0) {
      return false;
    }
    if (region.staged() instanceof NarrowMemory narrow) {
      return other.overlaps(narrow.wide());
    }
    if (other.region.staged() instanceof NarrowMemory narrow) {
      return overlaps(narrow.wide());
    }
    if (region.staged() instanceof JoinedMemory joined) {
      return joined.overlaps(other);
    }
    if (other.region.staged() instanceof JoinedMemory joined) {
      return joined.overlaps(this);
    }
    return region.overlaps(other.region);
  }

  /** Whether the two are the same elements, and all of them. */
  boolean isSameAs(Payload other) {
    return type == other.type && count == other.count && region.isSameAs(other.region);
  }

  /**
   * Copies all elements, without a call of a group.
   *
   * @param other of the same type and count; does not overlap
   * @throws IllegalArgumentException if it has another type or count
   */
  public void copyTo(Payload other) {
    if (Arguments.present("other", other).type != type || other.count != count) {
      throw new IllegalArgumentException("other must be " + this + ", but is " + other);
    }
    @Nullable Retainable from = region.retain();
    @Nullable Retainable to = null;
    try {
      to = other.region.retain();
      if (count == 0) {
        return;
      } else if (!staged()) {
        other.region.store(region.address(), 0, bytes());
      } else if (!other.staged()) {
        region.load(0, other.region.address(), bytes());
      } else {
        copyStaged(other);
      }
    } finally {
      Reference.reachabilityFence(this);
      Reference.reachabilityFence(other);
      release(from);
      release(to);
    }
  }

  private static void release(@Nullable Retainable retained) {
    if (retained != null) {
      retained.release();
    }
  }

  /** Retains the memory of all, or throws and retains none. */
  static void retain(Payload[] all) {
    for (int i = 0; i < all.length; i++) {
      try {
        all[i].region.retain();
      } catch (RuntimeException | Error e) {
        release(Arrays.copyOf(all, i));
        throw e;
      }
    }
  }

  /** Undoes {@link #retain}. */
  static void release(Payload[] all) {
    for (Payload each : all) {
      release(each.region.retainable());
    }
  }

  private void copyStaged(Payload other) {
    long stageBytes = Math.min(bytes(), COPY_BYTES);
    long stage = Memory.allocate(stageBytes, Memory.CACHE_LINE);
    try {
      for (long done = 0; done < bytes(); done += stageBytes) {
        long length = Math.min(stageBytes, bytes() - done);
        region.load(done, stage, length);
        other.region.store(stage, done, length);
      }
    } finally {
      Memory.free(stage);
    }
  }

  @Override
  public String toString() {
    return count + " " + Arguments.name(Objects.requireNonNull(type));
  }
}
