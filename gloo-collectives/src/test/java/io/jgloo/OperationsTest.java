package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.Callback;
import com.sun.jna.CallbackReference;
import com.sun.jna.Pointer;
import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.algorithm.Algorithms;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.library.JniCalls;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Averages, factors, and functions of the user's own. */
@Timeout(120)
class OperationsTest {

  private static final int[] COUNTS = {0, 1, 2, 7, 1000, 40_000};

  /** Composition of x -> ax + b, modulo 2^64: associative to the bit, and does not commute. */
  private static final ReduceOp COMPOSE =
      ReduceOp.ofTuples("compose", 2, OperationsTest::compose, false);

  private static void compose(ByteBuffer first, ByteBuffer second, DataType type) {
    assertEquals(DataType.INT64, type);
    for (int at = 0; at < first.limit(); at += 16) {
      long a = first.getLong(at);
      long b = first.getLong(at + 8);
      first.putLong(at, a * second.getLong());
      first.putLong(at + 8, a * second.getLong() + b);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void average(int size) {
    try (Ranks ranks = Ranks.of(size)) {
      for (int count : COUNTS) {
        ranks.each(
            (group, rank) -> {
              float[] x = new float[count];
              Arrays.fill(x, rank + 0.5f);
              group.allreduce(x, ReduceOp.AVG);
              float[] expected = new float[count];
              Arrays.fill(expected, size * size / 2f / size);
              assertArrayEquals(expected, x);
              FloatBuffer direct = direct(count);
              for (int i = 0; i < count; i++) {
                direct.put(i, rank + 0.5f);
              }
              FloatBuffer output = direct(count);
              group.allreduce(Payload.of(direct), Payload.of(output), ReduceOp.AVG);
              group.allreduce(Payload.of(direct), ReduceOp.AVG);
              for (int i = 0; i < count; i++) {
                assertEquals(expected[i], output.get(i));
                assertEquals(expected[i], direct.get(i));
              }
              int[] whole = new int[count];
              Arrays.fill(whole, -1 - rank);
              group.allreduce(whole, ReduceOp.AVG);
              for (int each : whole) {
                assertEquals(-(size * (size + 1) / 2) / size, each, "truncated towards zero");
              }
            });
      }
    }
  }

  /** A C function's type; JNA makes a native function of an instance. */
  private interface NativeReduction extends Callback {
    @SuppressWarnings("UnusedMethod") // JNA calls it
    void call(Pointer source, Pointer target, int elementBytes, int bytes);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5})
  void nativeFunctionReducesLongElementsInPlace(int size) {
    assumeTrue(JniCalls.isAvailable(), "libjgloo is not there");
    int elementBytes = 8078; // no power of two, and more than the widest tuple of bytes
    NativeReduction later = // the element whose first number is the greater one
        (source, target, granule, bytes) -> {
          assertEquals(elementBytes, granule);
          for (int at = 0; at < bytes; at += granule) {
            if (source.getLong(at) > target.getLong(at)) {
              target.write(at, source.getByteArray(at, granule), 0, granule);
            }
          }
        };
    long function = Pointer.nativeValue(CallbackReference.getFunctionPointer(later));
    ReduceOp op = ReduceOp.ofNative("later", function, elementBytes);
    assertEquals(op, ReduceOp.ofNative("later", function, elementBytes));
    assertNotEquals(op, ReduceOp.ofNative("later", function, 8));
    int elements = 2 * size + 1;
    try (Ranks ranks = Ranks.of(size)) {
      ranks.each(
          (group, rank) -> {
            ByteBuffer x =
                ByteBuffer.allocateDirect(elements * elementBytes).order(ByteOrder.nativeOrder());
            for (int i = 0; i < elements; i++) {
              for (int at = 0; at < elementBytes; at++) {
                x.put(i * elementBytes + at, (byte) rank);
              }
              x.putLong(i * elementBytes, (rank + i) % size);
            }
            group.allreduce(Payload.of(x, DataType.INT8), op);
            for (int i = 0; i < elements; i++) {
              assertEquals(size - 1, x.getLong(i * elementBytes));
              assertEquals(
                  (2 * size - 1 - i % size) % size, x.get((i + 1) * elementBytes - 1), "of " + i);
            }
          });
    }
  }

  @Test
  void nativeFunctionIsRefused_addressElementOrType() {
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> ReduceOp.ofNative("f", 0, 8))
            .getMessage()
            .contains("is 0"));
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> ReduceOp.ofNative("f", 1, 65537))
            .getMessage()
            .contains("but is 65537"));
    assertFalse(ReduceOp.ofNative("f", 1, 8).appliesTo(DataType.FLOAT64));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void factor(int size) {
    ReduceOp third = ReduceOp.premulSum(1 / 3.0);
    try (Ranks ranks = Ranks.of(size)) {
      for (int count : COUNTS) {
        ranks.each(
            (group, rank) -> {
              double expected = 0;
              for (int each = 0; each < size; each++) {
                expected += 3 * (each + 1) * (1 / 3.0);
              }
              double[] x = new double[count];
              double[] y = new double[count];
              Arrays.fill(x, 3 * (rank + 1));
              group.allreduce(Payload.of(x), Payload.of(y), third);
              assertEquals(count, Arrays.stream(x).filter(each -> each == 3 * (rank + 1)).count());
              group.allreduce(x, third);
              FloatBuffer from = direct(count);
              FloatBuffer to = direct(count);
              for (int i = 0; i < count; i++) {
                from.put(i, 3 * (rank + 1));
                assertEquals(expected, x[i], 1e-15 * size * size);
                assertEquals(x[i], y[i]);
              }
              group.allreduce(Payload.of(from), Payload.of(to), third);
              for (int i = 0; i < count; i++) {
                assertEquals(3 * (rank + 1), from.get(i), "the input is the caller's");
                assertEquals(expected, to.get(i), 1e-6 * size * size);
              }
              group.allreduce(Payload.of(from), third);
              assertEquals(to, from);
            });
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5, 8})
  void functionsThatDoNotCommuteMeetTheirOperandsInOrder(int size) {
    try (Ranks ranks = Ranks.of(size)) {
      for (int tuples : new int[] {0, 1, 5, 20_001}) {
        for (String algorithm : ordered()) {
          ranks.each((group, rank) -> compose(group, algorithm, tuples));
        }
      }
    }
  }

  /** The ones that keep the order, and null for the choice. */
  private static List<String> ordered() {
    List<String> names = new java.util.ArrayList<>();
    for (Algorithm algorithm : Algorithms.of(Collective.ALLREDUCE)) {
      if (algorithm.ordered()) {
        names.add(algorithm.name());
      }
    }
    names.add(null);
    return names;
  }

  private static void compose(ProcessGroup group, String algorithm, int tuples) {
    ProcessGroup by =
        algorithm == null ? group : group.with(CallOptions.DEFAULTS.algorithm(algorithm));
    long[] x = new long[2 * tuples];
    long[] y = new long[2 * tuples];
    long[] expected = new long[2 * tuples];
    for (int i = 0; i < tuples; i++) {
      x[2 * i] = slope(group.rank(), i);
      x[2 * i + 1] = (long) group.rank() + i;
      long a = 1;
      long b = 0;
      for (int rank = 0; rank < group.size(); rank++) {
        b = a * (rank + i) + b;
        a = a * slope(rank, i);
      }
      expected[2 * i] = a;
      expected[2 * i + 1] = b;
    }
    by.allreduce(Payload.of(x), Payload.of(y), COMPOSE);
    assertArrayEquals(expected, y, () -> algorithm + ", " + tuples);
    by.allreduce(x, COMPOSE);
    assertArrayEquals(expected, x, () -> algorithm + " in place, " + tuples);
  }

  private static long slope(int rank, int i) {
    return 3 + 2L * rank + i % 11;
  }

  @Test
  void operatorsOnEachType() {
    try (Ranks ranks = Ranks.of(3)) {
      ranks.each(
          (group, rank) -> {
            float[] floats = {rank + 1, -rank, 4};
            group.allreduce(floats, ReduceOp.ofFloats("f", (a, b) -> a * b + 0, true));
            assertArrayEquals(new float[] {6, 0, 64}, floats);
            double[] doubles = {3, 4, rank};
            group.allreduce(doubles, ReduceOp.ofDoubles("length", Math::hypot, true));
            assertEquals(Math.sqrt(27), doubles[0], 1e-14);
            int[] ints = {12 + 6 * rank};
            group.allreduce(ints, ReduceOp.ofInts("gcd", OperationsTest::gcd, true));
            assertEquals(6, ints[0]);
            long[] first = {rank, 7 - rank};
            group.allreduce(first, ReduceOp.ofLongs("first", (a, b) -> a, false));
            assertArrayEquals(new long[] {0, 7}, first);
            ByteBuffer halves = ByteBuffer.allocateDirect(4).order(ByteOrder.nativeOrder());
            halves.putShort(0, (short) 0x3c00).putShort(2, (short) 0x4000);
            group.allreduce(
                Payload.of(halves, DataType.FLOAT16),
                ReduceOp.ofFloats("sum", (a, b) -> a + b, true));
            assertEquals(0x4200, halves.getShort(0));
            assertEquals(0x4600, halves.getShort(2));
          });
    }
  }

  private static int gcd(int a, int b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  @Test
  void unusableOperationsAreRefused() {
    try (Ranks ranks = Ranks.of(2)) {
      ProcessGroup group = ranks.group(0);
      refused("multiple of compose's width 2", () -> group.allreduce(new long[3], COMPOSE));
      refused("changes the order of operands, which compose does not allow", () -> byRing(group));
      refused("no meaning on int32", () -> group.allreduce(new int[3], ReduceOp.premulSum(2)));
      refused(
          "no meaning on int8", () -> group.allreduce(Payload.of(bools(), DataType.INT8), odd()));
      refused(
          "no meaning on bool",
          () -> group.allreduce(Payload.of(bools(), DataType.BOOL), ReduceOp.AVG));
      refused("width must be 1", () -> ReduceOp.ofTuples("none", 0, (a, b, type) -> {}, true));
      refused("function must not be null", () -> ReduceOp.ofInts("none", null, true));
    }
  }

  private static void byRing(ProcessGroup group) {
    group.with(CallOptions.DEFAULTS.algorithm("ring")).allreduce(new long[2], COMPOSE);
  }

  private static ReduceOp odd() {
    return ReduceOp.ofFloats("odd", (a, b) -> a, true);
  }

  private static ByteBuffer bools() {
    return ByteBuffer.allocateDirect(3);
  }

  private static void refused(String words, org.junit.jupiter.api.function.Executable call) {
    IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, call);
    assertTrue(refusal.getMessage().contains(words), refusal.getMessage());
  }

  /** The others learn it long before the deadline, at which they would ask for the cause. */
  @Test
  void aFunctionThatThrowsFailsTheGroupWithItsRankNamed() {
    try (Ranks ranks = Ranks.of(3, Duration.ofMinutes(10))) {
      List<Throwable> failures =
          ranks.outcomes(
              (group, rank) ->
                  group
                      .with(CallOptions.DEFAULTS.algorithm("ring"))
                      .allreduce(
                          new int[300],
                          ReduceOp.ofInts(
                              "brittle",
                              (a, b) -> {
                                if (rank == 1) {
                                  throw new IllegalStateException("no such luck");
                                }
                                return a;
                              },
                              true)));
      for (Throwable failure : failures) {
        assertTrue(failure instanceof JGlooException, () -> "" + failure);
        assertTrue(failure.getMessage().contains("no such luck"), failure::getMessage);
        assertTrue(failure.getMessage().contains("rank 1"), failure::getMessage);
      }
    }
  }

  @Test
  void disagreementAboutTheFunctionIsReported() {
    List<Throwable> failures =
        disagree(
            (group, rank) ->
                group.allreduce(new int[9], ReduceOp.ofInts("f" + rank, Integer::sum, true)));
    assertTold(failures, "combined by function #");
  }

  private static List<Throwable> disagree(Ranks.Body body) {
    try (Ranks ranks = Ranks.of(2)) {
      return ranks.outcomes(body);
    }
  }

  private static void assertTold(List<Throwable> failures, String words) {
    assertTrue(
        failures.stream()
            .anyMatch(
                each -> each instanceof MismatchException && each.getMessage().contains(words)),
        failures::toString);
  }

  private static FloatBuffer direct(int count) {
    return ByteBuffer.allocateDirect(4 * count).order(ByteOrder.nativeOrder()).asFloatBuffer();
  }
}
