package io.jgloo.collectives.kernel;

import io.jgloo.transport.memory.Memory;
import java.util.function.IntFunction;

/**
 * A kind of Java array that elements pass through on their way from memory and back.
 *
 * @param bytes size of one array element
 * @param type of the array
 * @param array makes an array of a given length
 * @param load fills the start of an array from memory
 * @param store writes the start of an array to memory
 */
record Carrier<A>(int bytes, Class<A> type, IntFunction<A> array, Load<A> load, Store<A> store) {

  static final Carrier<byte[]> BYTES =
      new Carrier<>(
          1,
          byte[].class,
          byte[]::new,
          (source, target, count) -> Memory.copy(source, target, 0, count),
          (source, target, count) -> Memory.copy(source, 0, target, count));

  static final Carrier<short[]> SHORTS =
      new Carrier<>(
          2,
          short[].class,
          short[]::new,
          (source, target, count) -> Memory.copy(source, target, 0, count),
          (source, target, count) -> Memory.copy(source, 0, target, count));

  static final Carrier<int[]> INTS =
      new Carrier<>(
          4,
          int[].class,
          int[]::new,
          (source, target, count) -> Memory.copy(source, target, 0, count),
          (source, target, count) -> Memory.copy(source, 0, target, count));

  static final Carrier<long[]> LONGS =
      new Carrier<>(
          8,
          long[].class,
          long[]::new,
          (source, target, count) -> Memory.copy(source, target, 0, count),
          (source, target, count) -> Memory.copy(source, 0, target, count));

  static final Carrier<float[]> FLOATS =
      new Carrier<>(
          4,
          float[].class,
          float[]::new,
          (source, target, count) -> Memory.copy(source, target, 0, count),
          (source, target, count) -> Memory.copy(source, 0, target, count));

  static final Carrier<double[]> DOUBLES =
      new Carrier<>(
          8,
          double[].class,
          double[]::new,
          (source, target, count) -> Memory.copy(source, target, 0, count),
          (source, target, count) -> Memory.copy(source, 0, target, count));

  /** Copies {@code count} elements from an address to the start of an array. */
  @FunctionalInterface
  interface Load<A> {
    void apply(long source, A target, int count);
  }

  /** Copies {@code count} elements from the start of an array to an address. */
  @FunctionalInterface
  interface Store<A> {
    void apply(A source, long target, int count);
  }
}
