package io.jgloo.bench.operation;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.DataType;
import io.jgloo.transport.Allocation;
import io.jgloo.transport.memory.Memory;
import java.util.Locale;
import java.util.function.Function;

/**
 * The elements one end of a call works on, off the heap or on it.
 *
 * <p>On the heap it is a Java array: of the element type where the library takes one, else of
 * bytes. Positions and lengths are bytes, and whole elements.
 *
 * <p><em>Owns</em>: its memory.
 */
public final class Vector implements AutoCloseable {

  /** Elements of the longest array that every virtual machine can allocate. */
  private static final long LONGEST_ARRAY = Integer.MAX_VALUE - 8;

  /** Where a vector lies. */
  public enum Kind {
    /** Off the heap. */
    DIRECT,
    /** In a Java array. */
    HEAP,
    /** In memory that the group has allocated. */
    ALLOCATED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Copies so many bytes between the vector, from a byte on, and an address. */
  private interface Copy {
    void run(long at, long address, long bytes);
  }

  /** Copies elements from an address to an array. */
  private interface Writer<A> {
    void copy(long source, A array, int index, int count);
  }

  /** Copies elements of an array to an address. */
  private interface Reader<A> {
    void copy(A array, int index, long target, int count);
  }

  private final long address;
  private final Payload payload;
  private final Copy write;
  private final Copy read;
  private final Runnable free;

  private Vector(long address, Payload payload, Copy write, Copy read, Runnable free) {
    this.address = address;
    this.payload = payload;
    this.write = write;
    this.read = read;
    this.free = free;
  }

  /** Off the heap: memory that no collector moves, as a native runtime would hand it out. */
  private static Vector at(long address, Payload payload, Runnable free) {
    return new Vector(
        address,
        payload,
        (at, source, bytes) -> Memory.copy(source, address + at, bytes),
        (at, target, bytes) -> Memory.copy(address + at, target, bytes),
        free);
  }

  private static Vector direct(DataType type, long count) {
    long address = Memory.allocate(Math.max(1, count * type.bytes()), Memory.CACHE_LINE);
    return at(address, Payload.ofAddress(address, count, type, null), () -> Memory.free(address));
  }

  private static <A> Vector heap(
      A array, int cell, Function<A, Payload> payload, Writer<A> writer, Reader<A> reader) {
    return new Vector(
        0,
        payload.apply(array),
        (at, source, bytes) -> writer.copy(source, array, (int) (at / cell), (int) (bytes / cell)),
        (at, target, bytes) -> reader.copy(array, (int) (at / cell), target, (int) (bytes / cell)),
        () -> {});
  }

  /**
   * A new vector of undefined content.
   *
   * @throws IllegalArgumentException if it does not fit in an array
   */
  static Vector of(ProcessGroup group, DataType type, long count, Kind kind) {
    if (kind == Kind.DIRECT) {
      return direct(type, count);
    }
    if (kind == Kind.ALLOCATED) {
      Allocation memory = group.allocate(Math.max(1, count * type.bytes()));
      long address = memory.address();
      return at(address, Payload.ofAddress(address, count, type, memory), memory::close);
    }
    int n = cells(count);
    return switch (type) {
      case FLOAT32 -> heap(new float[n], 4, Payload::of, Memory::copy, Memory::copy);
      case FLOAT64 -> heap(new double[n], 8, Payload::of, Memory::copy, Memory::copy);
      case INT32 -> heap(new int[n], 4, Payload::of, Memory::copy, Memory::copy);
      case INT64 -> heap(new long[n], 8, Payload::of, Memory::copy, Memory::copy);
      default -> {
        int length = cells(count * type.bytes());
        Function<byte[], Payload> payload = bytes -> Payload.of(bytes, 0, length, type);
        yield heap(new byte[length], 1, payload, Memory::copy, Memory::copy);
      }
    };
  }

  /** A new vector off the heap, all zero. */
  public static Vector zeros(DataType type, long count) {
    Vector vector = direct(type, count);
    Memory.setZero(vector.address, count * type.bytes());
    return vector;
  }

  private static int cells(long count) {
    if (count > LONGEST_ARRAY) {
      throw new IllegalArgumentException(
          "--memory heap: an array cannot hold " + count + " elements");
    }
    return (int) count;
  }

  /** What a call is given; the same object every time, so that calling allocates nothing. */
  public Payload payload() {
    return payload;
  }

  /** Where it is, if it is off the heap. */
  public long address() {
    return address;
  }

  /** Copies bytes from an address to the vector, from byte {@code at} on. */
  void write(long at, long source, long bytes) {
    write.run(at, source, bytes);
  }

  /** Copies bytes of the vector, from byte {@code at} on, to an address. */
  void read(long at, long target, long bytes) {
    read.run(at, target, bytes);
  }

  @Override
  public void close() {
    free.run();
  }
}
