package io.jgloo;

import io.jgloo.collectives.DataType;
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
import java.util.List;
import java.util.Objects;

/**
 * Elements of one type that lie somewhere in memory: what collectives and messages work on.
 *
 * <p>Made from arrays (all of it, or offset and length in elements), from buffers (the elements
 * from position to limit, which no call moves), or from an address. Memory off the heap is worked
 * on in place; heap memory is copied through staging memory, 64 KiB at a time.
 *
 * <p><em>Threads</em>: any; immutable to its users, the elements aside. <em>Owns</em>: nothing;
 * keeps what it was made from reachable.
 */
public final class Payload {

  private static final long COPY_BYTES = 64 << 10;

  private final HeapMemory heap = new HeapMemory();
  private final Staged staged;
  private final Spares<Payload> home;
  private DataType type;
  private long count;
  private long address;
  private Object keepAlive;
  private boolean copied;

  Payload(Spares<Payload> home) {
    this.home = home;
    staged = heap;
  }

  /** Elements that are copied through staging memory in a way of their own. */
  Payload(DataType type, long count, Staged staged) {
    home = null;
    this.staged = staged;
    this.type = type;
    this.count = count;
    copied = true;
  }

  /** All elements of the array. */
  public static Payload of(float[] x) {
    return new Payload(null).on(x);
  }

  /** {@code length} elements from {@code offset} on. */
  public static Payload of(float[] x, int offset, int length) {
    return new Payload(null).on(x, offset, length);
  }

  /** All elements of the array. */
  public static Payload of(double[] x) {
    return new Payload(null).on(x);
  }

  /** {@code length} elements from {@code offset} on. */
  public static Payload of(double[] x, int offset, int length) {
    return new Payload(null).on(x, offset, length);
  }

  /** All elements of the array. */
  public static Payload of(int[] x) {
    return new Payload(null).on(x);
  }

  /** {@code length} elements from {@code offset} on. */
  public static Payload of(int[] x, int offset, int length) {
    return new Payload(null).on(x, offset, length);
  }

  /** All elements of the array. */
  public static Payload of(long[] x) {
    return new Payload(null).on(x);
  }

  /** {@code length} elements from {@code offset} on. */
  public static Payload of(long[] x, int offset, int length) {
    return new Payload(null).on(x, offset, length);
  }

  /** Elements of any type in native byte order, {@code length} bytes from {@code offset} on. */
  public static Payload of(byte[] x, int offset, int length, DataType type) {
    Arguments.range("array", Arguments.present("array", x).length, offset, length);
    return new Payload(null).bytes(x, offset, length, Arguments.present("type", type));
  }

  /** The elements from position to limit. */
  public static Payload of(FloatBuffer x) {
    return new Payload(null).on(x);
  }

  /** The elements from position to limit. */
  public static Payload of(DoubleBuffer x) {
    return new Payload(null).on(x);
  }

  /** The elements from position to limit. */
  public static Payload of(IntBuffer x) {
    return new Payload(null).on(x);
  }

  /** The elements from position to limit. */
  public static Payload of(LongBuffer x) {
    return new Payload(null).on(x);
  }

  /** The bytes from position to limit, a whole number of elements in native byte order. */
  public static Payload of(ByteBuffer x, DataType type) {
    return new Payload(null).on(x, type);
  }

  /**
   * Elements at an address, as native runtimes hand out.
   *
   * @param address of the first element; need not be aligned
   * @param keepAlive object that keeps the memory allocated while it is reachable, held until the
   *     call has ended; or null if nothing can free it meanwhile
   */
  public static Payload ofAddress(long address, long count, DataType type, Object keepAlive) {
    Arguments.present("type", type);
    if (count < 0 || count > Long.MAX_VALUE / type.bytes()) {
      throw new IllegalArgumentException("count must not be negative, but is " + count);
    }
    if (address == 0 && count > 0) {
      throw new IllegalArgumentException("address must not be 0 for " + count + " elements");
    }
    return new Payload(null).off(type, count, address, keepAlive);
  }

  /**
   * Several vectors of one type end to end, as one: many small ones cost one call then, not many.
   * Unless they lie one behind the other off the heap they are copied through staging memory, so
   * for large ones off the heap calls of their own are faster. All ranks must join the same counts
   * in total.
   *
   * @param parts not empty, and without a byte in common
   */
  public static Payload ofAll(List<Payload> parts) {
    return JoinedMemory.join(parts);
  }

  Payload on(float[] x) {
    return on(x, 0, Arguments.present("array", x).length);
  }

  Payload on(float[] x, int offset, int length) {
    Arguments.range("array", Arguments.present("array", x).length, offset, length);
    return heap(DataType.FLOAT32, x, offset, length);
  }

  Payload on(double[] x) {
    return on(x, 0, Arguments.present("array", x).length);
  }

  Payload on(double[] x, int offset, int length) {
    Arguments.range("array", Arguments.present("array", x).length, offset, length);
    return heap(DataType.FLOAT64, x, offset, length);
  }

  Payload on(int[] x) {
    return on(x, 0, Arguments.present("array", x).length);
  }

  Payload on(int[] x, int offset, int length) {
    Arguments.range("array", Arguments.present("array", x).length, offset, length);
    return heap(DataType.INT32, x, offset, length);
  }

  Payload on(long[] x) {
    return on(x, 0, Arguments.present("array", x).length);
  }

  Payload on(long[] x, int offset, int length) {
    Arguments.range("array", Arguments.present("array", x).length, offset, length);
    return heap(DataType.INT64, x, offset, length);
  }

  Payload on(FloatBuffer x) {
    Arguments.usable(x, x == null ? null : x.order());
    return x.hasArray()
        ? heap(DataType.FLOAT32, x.array(), x.arrayOffset() + x.position(), x.remaining())
        : view(DataType.FLOAT32, x);
  }

  Payload on(DoubleBuffer x) {
    Arguments.usable(x, x == null ? null : x.order());
    return x.hasArray()
        ? heap(DataType.FLOAT64, x.array(), x.arrayOffset() + x.position(), x.remaining())
        : view(DataType.FLOAT64, x);
  }

  Payload on(IntBuffer x) {
    Arguments.usable(x, x == null ? null : x.order());
    return x.hasArray()
        ? heap(DataType.INT32, x.array(), x.arrayOffset() + x.position(), x.remaining())
        : view(DataType.INT32, x);
  }

  Payload on(LongBuffer x) {
    Arguments.usable(x, x == null ? null : x.order());
    return x.hasArray()
        ? heap(DataType.INT64, x.array(), x.arrayOffset() + x.position(), x.remaining())
        : view(DataType.INT64, x);
  }

  Payload on(ByteBuffer x, DataType type) {
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
    heap(type, array, first, length);
    count = whole(length, type);
    heap.at(array, first, 1);
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
    this.count = length;
    heap.at(holder, first, type.bytes());
    address = 0;
    keepAlive = null;
    copied = true;
    return this;
  }

  private Payload view(DataType type, Buffer x) {
    if (!x.isDirect()) {
      return heap(type, x, x.position(), x.remaining());
    }
    long start = Memory.addressOf(x) + (long) x.position() * type.bytes();
    return off(type, x.remaining(), start, x);
  }

  private Payload off(DataType type, long count, long address, Object keepAlive) {
    this.type = type;
    this.count = count;
    this.address = address;
    this.keepAlive = keepAlive;
    copied = false;
    return this;
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
    return copied;
  }

  /** Whether the two have bytes in common. */
  boolean overlaps(Payload other) {
    if (count == 0 || other.count == 0) {
      return false;
    }
    if (staged instanceof JoinedMemory joined) {
      return joined.overlaps(other);
    }
    if (other.staged instanceof JoinedMemory joined) {
      return joined.overlaps(this);
    }
    if (copied || other.copied) {
      return copied && other.copied && heap.overlaps(bytes(), other.heap, other.bytes());
    }
    return address < other.address + other.bytes() && other.address < address + bytes();
  }

  /** Whether the two are the same elements, and all of them. */
  boolean isSameAs(Payload other) {
    return copied == other.copied
        && type == other.type
        && count == other.count
        && address == other.address
        && (!copied || (staged == heap && heap.isSameAs(other.heap)));
  }

  /** Copies elements to an address; offset and length in bytes. */
  void load(long offset, long target, long bytes) {
    if (copied) {
      staged.load(offset, target, bytes);
    } else {
      Memory.copy(address + offset, target, bytes);
    }
  }

  /** Copies elements from an address; offset and length in bytes. */
  void store(long source, long offset, long bytes) {
    if (copied) {
      staged.store(source, offset, bytes);
    } else {
      Memory.copy(source, address + offset, bytes);
    }
  }

  /** Copies all elements to others of the same type and count. */
  void copyTo(Payload other) {
    try {
      if (count == 0) {
        return;
      } else if (!copied) {
        other.store(address, 0, bytes());
      } else if (!other.copied) {
        load(0, other.address, bytes());
      } else {
        copyStaged(other);
      }
    } finally {
      Reference.reachabilityFence(this);
      Reference.reachabilityFence(other);
    }
  }

  private void copyStaged(Payload other) {
    long stageBytes = Math.min(bytes(), COPY_BYTES);
    long stage = Memory.allocate(stageBytes, Memory.CACHE_LINE);
    try {
      for (long done = 0; done < bytes(); done += stageBytes) {
        long length = Math.min(stageBytes, bytes() - done);
        load(done, stage, length);
        other.store(stage, done, length);
      }
    } finally {
      Memory.free(stage);
    }
  }

  /** The address of the first element; only of what is not copied. */
  long address() {
    return address;
  }

  void describe(Region region) {
    if (copied && count > 0) {
      region.staged(staged, bytes());
    } else {
      region.at(count == 0 ? 0 : address, bytes(), keepAlive);
    }
  }

  /** Lets go of the memory and goes where it came from, if it is one that comes again. */
  void spare() {
    if (home != null) {
      heap.at(null, 0, 1);
      keepAlive = null;
      home.give(this);
    }
  }

  @Override
  public String toString() {
    return count + " " + Arguments.name(Objects.requireNonNull(type));
  }
}
