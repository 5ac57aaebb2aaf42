package io.jgloo.ps.kv;

import io.jgloo.transport.memory.Memory;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/**
 * The type of the values of an application, by the type of arrays that hold them.
 *
 * <p>Values are little-endian in messages and in memory off the heap.
 *
 * @param <A> type of the arrays, such as {@code float[]}
 */
public final class ValueType<A> {

  /** 32-bit floats. */
  public static final ValueType<float[]> FLOATS =
      new ValueType<>(
          "float", "<f4", 0, 4, float[]::new, a -> a.length, Memory::copy, Memory::copy);

  /** 64-bit floats. */
  public static final ValueType<double[]> DOUBLES =
      new ValueType<>(
          "double", "<f8", 1, 8, double[]::new, a -> a.length, Memory::copy, Memory::copy);

  /** 32-bit integers. */
  public static final ValueType<int[]> INTS =
      new ValueType<>("int", "<i4", 2, 4, int[]::new, a -> a.length, Memory::copy, Memory::copy);

  /** 64-bit integers. */
  public static final ValueType<long[]> LONGS =
      new ValueType<>("long", "<i8", 3, 8, long[]::new, a -> a.length, Memory::copy, Memory::copy);

  /** 8-bit integers. */
  public static final ValueType<byte[]> BYTES =
      new ValueType<>("byte", "|i1", 4, 1, byte[]::new, a -> a.length, Memory::copy, Memory::copy);

  /** 16-bit floats, IEEE 754 binary16: sums are rounded to nearest even after each push. */
  public static final ValueType<short[]> HALVES =
      new ValueType<>("half", "<f2", 5, 2, short[]::new, a -> a.length, Memory::copy, Memory::copy);

  @FunctionalInterface
  private interface Put<T> {
    void copy(T values, int at, long address, int count);
  }

  @FunctionalInterface
  private interface Get<T> {
    void copy(long address, T values, int at, int count);
  }

  private final String name;
  private final String numpy;
  private final int code;
  private final int bytes;
  private final IntFunction<A> maker;
  private final ToIntFunction<A> length;
  private final Put<A> put;
  private final Get<A> get;

  private ValueType(
      String name,
      String numpy,
      int code,
      int bytes,
      IntFunction<A> maker,
      ToIntFunction<A> length,
      Put<A> put,
      Get<A> get) {
    this.name = name;
    this.numpy = numpy;
    this.code = code;
    this.bytes = bytes;
    this.maker = maker;
    this.length = length;
    this.put = put;
    this.get = get;
  }

  /** Makes an array of zeros. */
  public A newArray(int size) {
    return maker.apply(size);
  }

  /** Length of an array. */
  public int length(A values) {
    return length.applyAsInt(values);
  }

  /**
   * Copies values to memory, such as that of a {@link io.jgloo.ps.store.ValueStore}.
   *
   * @param at index of the first value
   * @param address of {@link #bytes} for each value
   */
  public void put(A values, int at, int count, long address) {
    put.copy(values, at, address, count);
  }

  /**
   * Copies values from memory, such as that of {@link KvPairs#valueAddress}.
   *
   * @param address of {@link #bytes} for each value
   * @param at index of the first value
   */
  public void get(long address, A values, int at, int count) {
    get.copy(address, values, at, count);
  }

  /** Whether values are floating-point numbers. */
  public boolean isFloating() {
    return code == 0 || code == 1 || code == 5;
  }

  /** The number at an address. */
  public double number(long address) {
    return switch (code) {
      case 0 -> Memory.getFloat(address);
      case 1 -> Memory.getDouble(address);
      case 2 -> Memory.getInt(address);
      case 3 -> Memory.getLong(address);
      case 4 -> Memory.getByte(address);
      default -> Halves.ofHalf(Memory.getShort(address));
    };
  }

  /** Writes a number, rounded to the type. */
  public void putNumber(long address, double number) {
    switch (code) {
      case 0 -> Memory.putFloat(address, (float) number);
      case 1 -> Memory.putDouble(address, number);
      case 2 -> Memory.putInt(address, (int) number);
      case 3 -> Memory.putLong(address, (long) number);
      case 4 -> Memory.putByte(address, (byte) number);
      default -> Memory.putShort(address, Halves.half((float) number));
    }
  }

  /** Bytes of one value. */
  public int bytes() {
    return bytes;
  }

  /** Its name in files of NumPy. */
  public String numpy() {
    return numpy;
  }

  /** Its number in messages and snapshots. */
  public int code() {
    return code;
  }

  /** The type of a number in messages and snapshots; an exception for none. */
  public static ValueType<?> of(int code) {
    List<ValueType<?>> all = List.of(FLOATS, DOUBLES, INTS, LONGS, BYTES, HALVES);
    if (code < 0 || code >= all.size()) {
      throw new IllegalArgumentException("no type of values has number " + code);
    }
    return all.get(code);
  }

  @Override
  public String toString() {
    return name;
  }
}
