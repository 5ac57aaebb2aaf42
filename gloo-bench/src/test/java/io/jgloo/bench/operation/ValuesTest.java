package io.jgloo.bench.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.kernel.Kernels;
import io.jgloo.transport.Reduction;
import io.jgloo.transport.memory.Memory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The data results are judged by: against the library's kernels, one element at a time. */
@Timeout(60)
final class ValuesTest {

  private static final int ELEMENTS = 1000;
  private static final long SEED = 20260;
  private static final Random CHOICE = new Random(SEED);

  static Stream<Arguments> combinations() {
    return Stream.of(DataType.values())
        .flatMap(
            type ->
                ReduceOp.builtIn().stream()
                    .filter(op -> op.appliesTo(type) && op.equals(op.combining()))
                    .flatMap(op -> Stream.of(1, 3, 64).map(n -> Arguments.of(type, op, n))))
        .filter(each -> isChosen());
  }

  /** The ordinary run has a seeded fifth of the combinations. */
  private static boolean isChosen() {
    return Boolean.getBoolean("jgloo.test.full") || CHOICE.nextInt(5) == 0;
  }

  /** What the reference says is what the kernels compute, in whichever order and grouping. */
  @ParameterizedTest
  @MethodSource("combinations")
  void reductionIsExactInAnyOrder(DataType type, ReduceOp op, int size) {
    Values values = new Values(type, op, size);
    Reduction kernel = Kernels.of(type, op);
    Random random = new Random(SEED);
    long target = Memory.allocate(Long.BYTES, Memory.CACHE_LINE);
    long source = Memory.allocate(Long.BYTES, Memory.CACHE_LINE);
    try {
      for (int index = 0; index < 50; index++) {
        List<Long> left = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
          left.add(values.bits(rank, index, 3));
        }
        while (left.size() > 1) {
          Collections.shuffle(left, random);
          Memory.putLong(target, left.remove(left.size() - 1));
          Memory.putLong(source, left.remove(left.size() - 1));
          kernel.reduce(target, source, type.bytes());
          left.add(Numbers.cut(type, Memory.getLong(target)));
        }
        assertEquals(values.reduced(index, 3), left.get(0), type + " " + op + " " + index);
      }
    } finally {
      Memory.free(target);
      Memory.free(source);
    }
  }

  /** Threads of a process, which may be some rounds apart, get what each would compute. */
  @Test
  void sharedReductionsAreThoseOfEachRank() {
    CollectiveOperation.Reductions reductions = new CollectiveOperation.Reductions();
    for (int size : List.of(1, 3)) {
      Values values = new Values(DataType.FLOAT32, ReduceOp.SUM, size);
      for (long count : List.of(1L, 7L, Pattern.PERIOD + 5L)) {
        VectorOperation.Block.Content shared = reductions.of(values, count);
        for (int round : List.of(0, 1, 0, 2, 3, 4, 0)) {
          for (long index = 0; index < Math.min(count, Pattern.PERIOD); index += 1 + index / 3) {
            assertEquals(values.reduced(index, round), shared.bits(index, round));
          }
        }
      }
    }
  }

  /** Else a vector that was not written, or a rank that was left out, would look right. */
  @ParameterizedTest
  @MethodSource("combinations")
  void resultsDifferByPlaceAndRound(DataType type, ReduceOp op, int size) {
    Values values = new Values(type, op, size);
    Set<Long> results = new HashSet<>();
    int changed = 0;
    for (int index = 0; index < ELEMENTS; index++) {
      results.add(values.reduced(index, 0));
      changed += values.reduced(index, 0) == values.reduced(index, 1) ? 0 : 1;
    }
    assertTrue(results.size() > 1, "all results are " + results);
    assertTrue(changed > ELEMENTS / 20, "only " + changed + " results change with the round");
  }

  @ParameterizedTest
  @MethodSource("combinations")
  void everyRankMatters(DataType type, ReduceOp op, int size) {
    Values values = new Values(type, op, size);
    for (int rank = 0; rank < size && size > 1 && size <= 64; rank++) {
      int felt = 0;
      for (int index = 0; index < ELEMENTS && felt == 0; index++) {
        felt += without(rank, values, op, size, index) == values.reduced(index, 0) ? 0 : 1;
      }
      assertTrue(felt > 0, "rank " + rank + " of " + size + " makes no difference");
    }
  }

  private static long without(int left, Values values, ReduceOp op, int size, int index) {
    int first = left == 0 ? 1 : 0;
    long result = values.bits(first, index, 0);
    for (int rank = first + 1; rank < size; rank++) {
      if (rank != left) {
        result = Numbers.combine(values.type(), op, result, values.bits(rank, index, 0));
      }
    }
    return result;
  }

  static Stream<Arguments> scaled() {
    return Stream.of(DataType.values())
        .flatMap(
            type ->
                Stream.of(ReduceOp.AVG, ReduceOp.premulSum(0.5))
                    .filter(op -> op.appliesTo(type))
                    .flatMap(op -> Stream.of(1, 3, 64).map(n -> Arguments.of(type, op, n))));
  }

  @ParameterizedTest
  @MethodSource("scaled")
  void scaledReductionIsExact(DataType type, ReduceOp op, int size) {
    Values values = new Values(type, op, size);
    Set<Long> results = new HashSet<>();
    for (int index = 0; index < ELEMENTS; index++) {
      long sum = values.bits(0, index, 0);
      for (int rank = 1; rank < size; rank++) {
        sum = Numbers.combine(type, ReduceOp.SUM, sum, values.bits(rank, index, 0));
      }
      long result = values.reduced(index, 0);
      results.add(result);
      if (Numbers.isFloat(type)) {
        double factor = op.factor().orElse(1.0 / size);
        assertEquals(Numbers.value(type, sum) * factor, Numbers.value(type, result), 1e-9);
      } else if (size > 1) {
        double quotient = Numbers.value(type, sum) / size;
        assertEquals(quotient, Numbers.value(type, result), 1 + Math.abs(quotient) * 1e-12);
      }
    }
    assertTrue(results.size() > 1, "all results are " + results);
  }

  @Test
  void halvesAreReadAsTheyAreWritten() {
    for (double value : new double[] {0, 1, -1, 2048, -2047, 0.5, 1.0 / 256, 65504}) {
      long bits = Numbers.bits(DataType.FLOAT16, value);
      assertEquals(value, Numbers.value(DataType.FLOAT16, bits));
    }
    assertEquals(0x3c00, Numbers.bits(DataType.FLOAT16, 1));
    assertEquals(0x3f80, Numbers.bits(DataType.BFLOAT16, 1));
    assertEquals(Math.scalb(1.0, -24), Numbers.value(DataType.FLOAT16, 1));
    assertEquals(Double.POSITIVE_INFINITY, Numbers.value(DataType.FLOAT16, 0x7c00));
  }
}
