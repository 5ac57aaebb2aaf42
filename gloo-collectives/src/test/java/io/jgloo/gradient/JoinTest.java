package io.jgloo.gradient;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.Ranks;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.gradient.GradientReducer.Divisor;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.OperationTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks with less input than others take part with zeros until all have joined. */
@Timeout(120)
class JoinTest {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final int[] COUNTS = {3, 0, 20_011, 1, 257};

  /** Four buckets, the gradients on the heap or not; its steps are checked as they are made. */
  private static final class Training {
    private final ProcessGroup group;
    private final Divisor divisor;
    private final float tolerance; // relative; sums of narrow elements are rounded
    private final float[][] gradients = new float[COUNTS.length][];
    private final FloatBuffer direct;
    private final GradientReducer reducer;

    Training(ProcessGroup group, Divisor divisor, DataType narrow) {
      this.group = group;
      this.divisor = divisor;
      tolerance = narrow == null ? 1e-6f : 0.01f;
      GradientReducer.Builder builder =
          GradientReducer.over(group).bucketBytes(10_000, 1000).joinable(divisor);
      if (narrow != null) {
        builder.compress(narrow);
      }
      for (int i = 0; i < COUNTS.length; i++) {
        gradients[i] = new float[COUNTS[i]];
      }
      direct =
          ByteBuffer.allocateDirect(4 * COUNTS[2]).order(ByteOrder.nativeOrder()).asFloatBuffer();
      for (int i = 0; i < COUNTS.length; i++) {
        builder.register("tensor " + i, i == 2 ? Payload.of(direct) : Payload.of(gradients[i]));
      }
      reducer = builder.build();
      assertEquals(4, reducer.buckets());
    }

    /** Multiples of 60: all averages of up to 5 ranks are integers. */
    void step(int step, int active) {
      for (int i = COUNTS.length - 1; i >= 0; i--) {
        for (int at = 0; at < COUNTS[i]; at++) {
          float value = value(i, at, step);
          if (i == 2) {
            direct.put(at, value);
          } else {
            gradients[i][at] = value;
          }
        }
        reducer.ready(i);
      }
      reducer.finish(LONG);
      int by = divisor == Divisor.ACTIVE ? active : group.size();
      for (int i = 0; i < COUNTS.length; i++) {
        for (int at = 0; at < COUNTS[i]; at++) {
          float actual = i == 2 ? direct.get(at) : gradients[i][at];
          float expected = active * value(i, at, step) / by;
          assertEquals(expected, actual, expected * tolerance, "step " + step + " of " + active);
        }
      }
    }

    private static float value(int tensor, int at, int step) {
      return 60 * (1 + (tensor + at + step) % 7);
    }
  }

  /** Steps of each rank as digits: none, the same for all, more at the first or the last rank. */
  @ParameterizedTest
  @CsvSource({"03", "22", "00", "404", "3132"})
  void everyStepIsAveraged_andTheLastRankIsReturned(String digits) {
    int[] steps = digits.chars().map(digit -> digit - '0').toArray();
    int most = Arrays.stream(steps).max().orElseThrow();
    int last = digits.lastIndexOf('0' + most);
    try (Ranks ranks = Ranks.of(steps.length)) {
      ranks.each(
          (group, rank) -> {
            for (DataType narrow : new DataType[] {null, DataType.BFLOAT16, DataType.FLOAT16}) {
              for (Divisor divisor : Divisor.values()) {
                Training training = new Training(group, divisor, narrow);
                for (int epoch = 0; epoch < 2; epoch++) {
                  for (int step = 0; step < steps[rank]; step++) {
                    int now = step;
                    training.step(step, (int) Arrays.stream(steps).filter(s -> s > now).count());
                  }
                  assertEquals(last, training.reducer.join(LONG));
                }
              }
            }
            int[] after = {rank};
            group.allreduce(after, ReduceOp.SUM); // in step with each other, as before
            assertEquals(steps.length * (steps.length - 1) / 2, after[0]);
          });
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5})
  void randomStepsOfRandomRanks(int size) {
    Random random = new Random(size);
    try (Ranks ranks = Ranks.of(size)) {
      for (int round = 0; round < 3; round++) {
        int[] steps = IntStream.range(0, size).map(rank -> random.nextInt(8)).toArray();
        Divisor divisor = round == 1 ? Divisor.ACTIVE : Divisor.SIZE;
        ranks.each(
            (group, rank) -> {
              Training training = new Training(group, divisor, null);
              for (int step = 0; step < steps[rank]; step++) {
                int now = step;
                training.step(step, (int) Arrays.stream(steps).filter(s -> s > now).count());
              }
              int last = training.reducer.join(LONG);
              assertEquals(Arrays.stream(steps).max().orElseThrow(), steps[last], "steps of last");
            });
      }
    }
  }

  /** Integers are averaged over all ranks, and a factor is applied as ever. */
  @Test
  void otherTypesAndOps() {
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            int[] ints = {9};
            double[] doubles = {8};
            GradientReducer.Builder averages =
                GradientReducer.over(group).joinable(Divisor.SIZE).compress(DataType.BFLOAT16);
            averages.register("ints", Payload.of(ints));
            averages.register("doubles", Payload.of(doubles));
            GradientReducer.Builder halves =
                GradientReducer.over(group).joinable(Divisor.ACTIVE).op(ReduceOp.premulSum(0.5));
            double[] half = {3};
            halves.register("half", Payload.of(half));
            for (GradientReducer reducer : List.of(averages.build(), halves.build())) {
              if (rank == 1) {
                for (int i = reducer.buckets() - 1; i >= 0; i--) {
                  reducer.ready(i);
                }
                reducer.finish(LONG);
              }
              assertEquals(1, reducer.join(LONG));
            }
            assertArrayEquals(new int[] {rank == 1 ? 4 : 9}, ints);
            assertArrayEquals(new double[] {rank == 1 ? 4 : 8}, doubles);
            assertArrayEquals(new double[] {rank == 1 ? 1.5 : 3}, half);
          });
    }
  }

  /** The rank that fails is in the middle of a step: one bucket has started. */
  @ParameterizedTest
  @EnumSource(Divisor.class)
  void exceptionOfAnActiveRank_endsTheJoinOfOthers(Divisor divisor) {
    try (Ranks ranks = Ranks.of(3)) {
      List<Throwable> outcomes =
          ranks.outcomes(
              (group, rank) -> {
                Training training = new Training(group, divisor, null);
                if (rank == 0) {
                  training.reducer.join(LONG);
                }
                training.step(0, 2);
                if (rank == 1) {
                  training.reducer.join(LONG);
                }
                try (group) {
                  training.reducer.ready(COUNTS.length - 1);
                  throw new ArithmeticException("of the model");
                }
              });
      assertInstanceOf(ArithmeticException.class, outcomes.get(2));
      for (int rank = 0; rank < 2; rank++) {
        Throwable outcome = outcomes.get(rank);
        assertInstanceOf(JGlooException.class, outcome);
        assertTrue(outcome.getMessage().contains("peer 2"), outcome.getMessage());
      }
    }
  }

  @Test
  void joinThatTimesOut_goesOnWhenCalledAgain() {
    try (Ranks ranks = Ranks.of(2)) {
      CountDownLatch counting = new CountDownLatch(1);
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch reducing = new CountDownLatch(1);
      ranks.each(
          (group, rank) -> {
            Training training = new Training(group, Divisor.SIZE, null);
            GradientReducer reducer = training.reducer;
            if (rank == 1) {
              assertTrue(counting.await(20, TimeUnit.SECONDS));
              reducer.ready(4);
              begun.countDown();
              assertTrue(reducing.await(20, TimeUnit.SECONDS));
              IntStream.of(3, 2, 1, 0).forEach(reducer::ready);
              reducer.finish(LONG);
            } else {
              timesOut(reducer);
              assertThrows(IllegalStateException.class, () -> reducer.ready(0));
              assertThrows(IllegalStateException.class, () -> reducer.finish(LONG));
              counting.countDown();
              assertTrue(begun.await(20, TimeUnit.SECONDS));
              for (int i = 0; i < 5; i++) {
                timesOut(reducer); // of the count at first, then of the second bucket
              }
              reducing.countDown();
            }
            assertEquals(1, reducer.join(LONG));
          });
    }
  }

  private static void timesOut(GradientReducer reducer) {
    assertThrows(OperationTimeoutException.class, () -> reducer.join(Duration.ofMillis(30)));
  }

  @Test
  void mistakesAreReported() {
    try (Ranks ranks = Ranks.of(1)) {
      GradientReducer.Builder builder = GradientReducer.over(ranks.group(0));
      builder.register("x", Payload.of(new float[2]));
      GradientReducer never = builder.build();
      IllegalStateException unable =
          assertThrows(IllegalStateException.class, () -> never.join(LONG));
      assertTrue(unable.getMessage().contains("joinable"), unable.getMessage());
      assertThrows(IllegalArgumentException.class, () -> builder.joinable(null));
      assertThrows(IllegalArgumentException.class, () -> builder.compress(DataType.FLOAT64));
      builder.joinable(Divisor.ACTIVE).op(ReduceOp.MAX);
      assertThrows(IllegalArgumentException.class, builder::build);
      GradientReducer reducer = builder.op(ReduceOp.AVG).build();
      assertThrows(IllegalArgumentException.class, () -> reducer.join(Duration.ofNanos(-1)));
      reducer.ready(0);
      IllegalStateException early =
          assertThrows(IllegalStateException.class, () -> reducer.join(LONG));
      assertTrue(early.getMessage().contains("[x]"), early.getMessage());
      reducer.finish(LONG);
      assertEquals(0, reducer.join(LONG));
      builder.register("ints", Payload.of(new int[2]));
      assertThrows(IllegalArgumentException.class, builder::build);
      assertEquals(2, builder.joinable(Divisor.SIZE).build().buckets());
    }
  }
}
