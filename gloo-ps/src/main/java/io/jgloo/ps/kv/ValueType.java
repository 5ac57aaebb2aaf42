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
      new ValueType<>("float", 0, 4, float[]::new, a -> a.length, Memory::copy, Memory::copy);

  /** 64-bit floats. */
  public static final ValueType<double[]> DOUBLES =
      new ValueType<>("double", 1, 8, double[]::new, a -> a.length, Memory::copy, Memory::copy);

  /** 32-bit integers. */
  public static final ValueType<int[]> INTS =
      new ValueType<>("int", 2, 4, int[]::new, a -> a.length, Memory::copy, Memory::copy);

  /** 64-bit integers. */
  public static final ValueType<long[]> LONGS =
      new ValueType<>("long", 3, 8, long[]::new, a -> a.length, Memory::copy, Memory::copy);

  /** 8-bit integers. */
  public static final ValueType<byte[]> BYTES =
      new ValueType<>("byte", 4, 1, byte[]::new, a -> a.length, Memory::copy, Memory::copy);

  /** 16-bit floats, IEEE 754 binary16: sums are rounded to nearest even after each push. */
  public static final ValueType<short[]> HALVES =
      new ValueType<>("half", 5, 2, short[]::new, a -> a.length, Memory::copy, Memory::copy);

  @FunctionalInterface
  private interface Put<T> {
    void copy(T values, int at, long address, int count);
  }

  @FunctionalInterface
  private interface Get<T> {
    void copy(long address, T values, int at, int count);
  }

  private final String name;
  private final int code;
  private final int bytes;
  private final IntFunction<A> maker;
  private final ToIntFunction<A> length;
  private final Put<A> put;
  private final Get<A> get;

  private ValueType(
      String name,
      int code,
      int bytes,
      IntFunction<A> maker,
      ToIntFunction<A> length,
      Put<A> put,
      Get<A> get) {
    this.name = name;
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
      default -> ofHalf(Memory.getShort(address));
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
      default -> Memory.putShort(address, half((float) number));
    }
  }

  /** Bytes of one value. */
  public int bytes() {
    return bytes;
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

  /** The binary16 number that is nearest, or even. */
  private static short half(float value) {
    int bits = Float.floatToRawIntBits(value);
    int sign = bits >>> 16 & 0x8000;
    int magnitude = bits & 0x7fffffff;
    if (magnitude >= 0x477ff000) { // rounds to infinity, or is that or NaN
      return (short) (sign | (magnitude > 0x7f800000 ? 0x7e00 : 0x7c00));
    }
    if (magnitude >= 0x38800000) {
      int rounded = magnitude + 0xfff + (magnitude >>> 13 & 1);
      return (short) (sign | (rounded - 0x38000000) >>> 13);
    }
    int shift = 126 - (magnitude >>> 23);
    if (shift > 24) {
      return (short) sign;
    }
    int mantissa = (magnitude & 0x7fffff) | 0x800000;
    int units = mantissa >>> shift; // of 2^-24
    int rest = mantissa & ((1 << shift) - 1);
    int middle = 1 << (shift - 1);
    boolean isUp = rest > middle || (rest == middle && (units & 1) == 1);
    return (short) (sign | units + (isUp ? 1 : 0));
  }

  /** The float of a binary16 number. */
  private static float ofHalf(short half) {
    int sign = (half & 0x8000) << 16;
    int exponent = half >>> 10 & 0x1f;
    int mantissa = half & 0x3ff;
    if (exponent == 0) {
      float units = mantissa * 0x1p-24f;
      return sign == 0 ? units : -units;
    }
    int high = exponent == 0x1f ? 0xff : exponent + 112;
    return Float.intBitsToFloat(sign | high << 23 | mantissa << 13);
  }

  @Override
  public String toString() {
    return name;
  }
}
