package io.jgloo.ps.kv;

import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;

/**
 * The type of the values of an application, by the type of arrays that hold them.
 *
 * <p>Values are little-endian in messages and in memory off the heap.
 *
 * @param <A> type of the arrays, such as {@code float[]}
 */
public abstract class ValueType<A> {

  /** 32-bit floats. */
  public static final ValueType<float[]> FLOATS =
      new ValueType<>("float", 0, 4) {
        @Override
        public float[] newArray(int length) {
          return new float[length];
        }

        @Override
        public int length(float[] values) {
          return values.length;
        }

        @Override
        public void put(float[] values, int at, int count, ByteBuffer target) {
          target.asFloatBuffer().put(values, at, count);
        }

        @Override
        public void get(ByteBuffer source, float[] values, int at, int count) {
          source.asFloatBuffer().get(values, at, count);
        }

        @Override
        public void put(float[] values, int at, int count, long address) {
          Memory.copy(values, at, address, count);
        }

        @Override
        public void get(long address, float[] values, int at, int count) {
          Memory.copy(address, values, at, count);
        }
      };

  /** 64-bit floats. */
  public static final ValueType<double[]> DOUBLES =
      new ValueType<>("double", 1, 8) {
        @Override
        public double[] newArray(int length) {
          return new double[length];
        }

        @Override
        public int length(double[] values) {
          return values.length;
        }

        @Override
        public void put(double[] values, int at, int count, ByteBuffer target) {
          target.asDoubleBuffer().put(values, at, count);
        }

        @Override
        public void get(ByteBuffer source, double[] values, int at, int count) {
          source.asDoubleBuffer().get(values, at, count);
        }

        @Override
        public void put(double[] values, int at, int count, long address) {
          Memory.copy(values, at, address, count);
        }

        @Override
        public void get(long address, double[] values, int at, int count) {
          Memory.copy(address, values, at, count);
        }
      };

  /** 32-bit integers. */
  public static final ValueType<int[]> INTS =
      new ValueType<>("int", 2, 4) {
        @Override
        public int[] newArray(int length) {
          return new int[length];
        }

        @Override
        public int length(int[] values) {
          return values.length;
        }

        @Override
        public void put(int[] values, int at, int count, ByteBuffer target) {
          target.asIntBuffer().put(values, at, count);
        }

        @Override
        public void get(ByteBuffer source, int[] values, int at, int count) {
          source.asIntBuffer().get(values, at, count);
        }

        @Override
        public void put(int[] values, int at, int count, long address) {
          Memory.copy(values, at, address, count);
        }

        @Override
        public void get(long address, int[] values, int at, int count) {
          Memory.copy(address, values, at, count);
        }
      };

  /** 64-bit integers. */
  public static final ValueType<long[]> LONGS =
      new ValueType<>("long", 3, 8) {
        @Override
        public long[] newArray(int length) {
          return new long[length];
        }

        @Override
        public int length(long[] values) {
          return values.length;
        }

        @Override
        public void put(long[] values, int at, int count, ByteBuffer target) {
          target.asLongBuffer().put(values, at, count);
        }

        @Override
        public void get(ByteBuffer source, long[] values, int at, int count) {
          source.asLongBuffer().get(values, at, count);
        }

        @Override
        public void put(long[] values, int at, int count, long address) {
          Memory.copy(values, at, address, count);
        }

        @Override
        public void get(long address, long[] values, int at, int count) {
          Memory.copy(address, values, at, count);
        }
      };

  /** 8-bit integers. */
  public static final ValueType<byte[]> BYTES =
      new ValueType<>("byte", 4, 1) {
        @Override
        public byte[] newArray(int length) {
          return new byte[length];
        }

        @Override
        public int length(byte[] values) {
          return values.length;
        }

        @Override
        public void put(byte[] values, int at, int count, ByteBuffer target) {
          target.put(values, at, count);
        }

        @Override
        public void get(ByteBuffer source, byte[] values, int at, int count) {
          source.get(values, at, count);
        }

        @Override
        public void put(byte[] values, int at, int count, long address) {
          Memory.copy(values, at, address, count);
        }

        @Override
        public void get(long address, byte[] values, int at, int count) {
          Memory.copy(address, values, at, count);
        }
      };

  private final String name;
  private final int code;
  private final int bytes;

  private ValueType(String name, int code, int bytes) {
    this.name = name;
    this.code = code;
    this.bytes = bytes;
  }

  /** Makes an array of zeros. */
  public abstract A newArray(int length);

  /** Length of an array. */
  public abstract int length(A values);

  /**
   * Copies values to a buffer, little-endian, from its position on; the position may move.
   *
   * @param at index of the first value
   * @throws java.nio.BufferOverflowException if the buffer has no room for them
   */
  public abstract void put(A values, int at, int count, ByteBuffer target);

  /**
   * Copies values from a buffer, little-endian, from its position on; the position may move.
   *
   * @param at index of the first value
   * @throws java.nio.BufferUnderflowException if the buffer has fewer
   */
  public abstract void get(ByteBuffer source, A values, int at, int count);

  /**
   * Copies values to memory, such as that of a {@link io.jgloo.ps.store.ValueStore}.
   *
   * @param at index of the first value
   * @param address of {@link #bytes} for each value
   */
  public abstract void put(A values, int at, int count, long address);

  /**
   * Copies values from memory, such as that of {@link KvPairs#valueAddress}.
   *
   * @param address of {@link #bytes} for each value
   * @param at index of the first value
   */
  public abstract void get(long address, A values, int at, int count);

  /** Bytes of one value. */
  public int bytes() {
    return bytes;
  }

  /** Its number in messages and snapshots. */
  public int code() {
    return code;
  }

  @Override
  public String toString() {
    return name;
  }
}
