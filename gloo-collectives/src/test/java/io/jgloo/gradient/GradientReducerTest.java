package io.jgloo.gradient;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.Ranks;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.OperationTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gradients are averaged whatever the order in which they get ready, and nothing is mixed up. */
@Timeout(120)
class GradientReducerTest {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final int[] COUNTS = {7, 0, 300, 40_000, 1, 5000, 64};

  /** Tensors as views of one direct buffer, or of arrays of their own. */
  private static List<FloatBuffer> tensors(boolean contiguous) {
    ByteBuffer all =
        ByteBuffer.allocateDirect(4 * IntStream.of(COUNTS).sum()).order(ByteOrder.nativeOrder());
    List<FloatBuffer> tensors = new ArrayList<>();
    for (int count : COUNTS) {
      if (contiguous) {
        tensors.add(
            all.slice(all.position(), 4 * count).order(ByteOrder.nativeOrder()).asFloatBuffer());
        all.position(all.position() + 4 * count);
      } else {
        tensors.add(FloatBuffer.allocate(count));
      }
    }
    return tensors;
  }

  private static GradientReducer reducer(ProcessGroup group, List<FloatBuffer> tensors) {
    GradientReducer.Builder builder = GradientReducer.over(group).bucketBytes(100_000, 1000);
    for (int i = 0; i < tensors.size(); i++) {
      assertEquals(i, builder.register("tensor " + i, Payload.of(tensors.get(i))));
    }
    return builder.build();
  }

  private static void fill(List<FloatBuffer> tensors, int rank, int step) {
    for (int i = 0; i < tensors.size(); i++) {
      for (int at = 0; at < tensors.get(i).limit(); at++) {
        tensors.get(i).put(at, i + step + at % 5 + rank);
      }
    }
  }

  private static void check(List<FloatBuffer> tensors, int size, int step) {
    for (int i = 0; i < tensors.size(); i++) {
      for (int at = 0; at < tensors.get(i).limit(); at++) {
        float expected = (size * (i + step + at % 5) + size * (size - 1) / 2) / (float) size;
        assertEquals(expected, tensors.get(i).get(at), "tensor " + i + " at " + at);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void averages(int size) {
    try (Ranks ranks = Ranks.of(size)) {
      ranks.each(
          (group, rank) -> {
            List<FloatBuffer> tensors = tensors(rank % 2 == 0);
            GradientReducer reducer = reducer(group, tensors);
            Random random = new Random(rank);
            for (int step = 0; step < 10; step++) {
              fill(tensors, rank, step);
              List<Integer> order = new ArrayList<>();
              for (int i = COUNTS.length - 1; i >= 0; i--) {
                order.add(i);
              }
              if (step % 2 == 1) {
                Collections.shuffle(order, random);
              }
              order.forEach(reducer::ready);
              reducer.finish(LONG);
              check(tensors, size, step);
            }
          });
    }
  }

  /**
   * As hooks do that register in the order of ids; of equal sizes, so that nothing else shows it.
   */
  @Test
  void tensorsInAnotherOrder_areNamedAtAllRanks() {
    assertMismatch(
        "ranks 0 and 2 register unlike gradients: tensor 1 is conv2 (9 FLOAT32) at rank 0, tensor 1"
            + " is conv1 (9 FLOAT32) at rank 2",
        (builder, rank) -> {
          List<String> names = rank == 2 ? List.of("in", "conv1") : List.of("in", "conv2");
          names.forEach(name -> builder.register(name, DataType.FLOAT32, 9));
        });
  }

  @Test
  void unlikeCountsNumbersAndSettings_areNamedAtAllRanks() {
    assertMismatch(
        "tensor 0 is a (9 FLOAT32) at rank 0, tensor 0 is a (8 FLOAT32) at rank 1",
        (builder, rank) -> builder.register("a", DataType.FLOAT32, 9 - rank));
    assertMismatch(
        "tensor 0 is a (9 FLOAT32) at rank 0, tensor 0 is a (9 FLOAT64) at rank 1",
        (builder, rank) ->
            builder.register("a", rank == 1 ? DataType.FLOAT64 : DataType.FLOAT32, 9));
    assertMismatch(
        "nothing more at rank 0, tensor 1 is b (1 FLOAT32) at rank 1",
        (builder, rank) -> {
          builder.register("a", DataType.FLOAT32, 9);
          if (rank > 0) {
            builder.register("b", DataType.FLOAT32, 1);
          }
        });
    assertMismatch(
        "op avg at rank 0, op sum at rank 1",
        (builder, rank) ->
            builder.op(rank == 0 ? ReduceOp.AVG : ReduceOp.SUM).register("a", DataType.FLOAT32, 9));
  }

  private static void assertMismatch(
      String text, java.util.function.ObjIntConsumer<GradientReducer.Builder> registers) {
    try (Ranks ranks = Ranks.of(3)) {
      ranks.each(
          (group, rank) -> {
            GradientReducer.Builder builder = GradientReducer.over(group);
            registers.accept(builder, rank);
            MismatchException e = assertThrows(MismatchException.class, builder::build);
            assertTrue(e.getMessage().contains(text), e.getMessage());
            group.barrier(); // lives on
          });
    }
  }

  @Test
  void bucketsAreCutFromTheEndAndDirectOnesAreNotCopied() {
    try (Ranks ranks = Ranks.of(1)) {
      GradientReducer contiguous = reducer(ranks.group(0), tensors(true));
      assertEquals(4, contiguous.buckets()); // {64} {5000, 1} {40000} {300, 0, 7}
      GradientReducer scattered = reducer(ranks.group(0), tensors(false));
      assertEquals(4, scattered.buckets());
      for (int bucket = 0; bucket < 4; bucket++) {
        assertFalse(contiguous.isStaged(bucket));
        assertTrue(scattered.isStaged(bucket));
      }
    }
  }

  /** As a runtime does that allocates gradients; some ranks register memory and replace it. */
  @Test
  void memoryOfEachStep_isReducedThere() {
    try (Ranks ranks = Ranks.of(3)) {
      ranks.each(
          (group, rank) -> {
            GradientReducer.Builder builder =
                GradientReducer.over(group).bucketBytes(100_000, 1000);
            List<FloatBuffer> registered = tensors(false);
            for (int i = 0; i < COUNTS.length; i++) {
              if (rank == 2) {
                builder.register("tensor " + i, Payload.of(registered.get(i)));
              } else {
                builder.register("tensor " + i, DataType.FLOAT32, COUNTS[i]);
              }
            }
            GradientReducer reducer = builder.build();
            assertEquals(4, reducer.buckets());
            List<List<FloatBuffer>> steps = new ArrayList<>();
            for (int step = 0; step < 6; step++) {
              List<FloatBuffer> tensors =
                  rank == 2 && step == 3 ? registered : tensors(step % 2 == 0);
              steps.add(tensors);
              fill(tensors, rank, step);
              for (int i = COUNTS.length - 1; i >= 0; i--) {
                if (tensors == registered) {
                  reducer.ready(i);
                } else {
                  reducer.ready(i, Payload.of(tensors.get(i)));
                }
              }
              assertEquals(step % 2 == 1, reducer.isStaged(2)); // {40000}
              reducer.finish(LONG);
            }
            for (int step = 0; step < steps.size(); step++) {
              check(steps.get(step), 3, step); // nor has a later step written to it
            }
          });
    }
  }

  @Test
  void memoryThatDoesNotFit_isRefusedAndAnotherTaken() {
    try (Ranks ranks = Ranks.of(1)) {
      GradientReducer.Builder builder = GradientReducer.over(ranks.group(0));
      assertThrows(
          IllegalArgumentException.class, () -> builder.register("x", DataType.FLOAT32, -1));
      builder.register("first", DataType.FLOAT32, 2);
      builder.register("second", DataType.FLOAT32, 2);
      GradientReducer reducer = builder.build();
      float[] x = {1, 2};
      assertThrows(IllegalStateException.class, () -> reducer.isStaged(0));
      assertThrows(IllegalStateException.class, () -> reducer.ready(1));
      assertThrows(
          IllegalArgumentException.class, () -> reducer.ready(1, Payload.of(new double[2])));
      IllegalArgumentException length =
          assertThrows(
              IllegalArgumentException.class, () -> reducer.ready(1, Payload.of(new float[3])));
      assertTrue(length.getMessage().contains("second"), length.getMessage());
      reducer.ready(1, Payload.of(x));
      IllegalArgumentException overlap =
          assertThrows(IllegalArgumentException.class, () -> reducer.ready(0, Payload.of(x)));
      assertTrue(overlap.getMessage().contains("overlap"), overlap.getMessage());
      reducer.ready(0, Payload.of(new float[2]));
      reducer.finish(LONG);
      assertThrows(IllegalStateException.class, () -> reducer.ready(0)); // memory of the last step
    }
  }

  @Test
  void aRankThatIsLateIsNamedAndMayStillCome() {
    try (Ranks ranks = Ranks.of(2)) {
      CountDownLatch missed = new CountDownLatch(1);
      ranks.each(
          (group, rank) -> {
            float[] x = {rank};
            GradientReducer.Builder builder = GradientReducer.over(group);
            builder.register("x", Payload.of(x));
            GradientReducer reducer = builder.build();
            if (rank == 1) {
              assertTrue(missed.await(20, TimeUnit.SECONDS));
              reducer.ready(0);
            } else {
              reducer.ready(0);
              OperationTimeoutException timeout =
                  assertThrows(
                      OperationTimeoutException.class, () -> reducer.finish(Duration.ofMillis(50)));
              assertEquals(List.of(1), timeout.missingPeers());
              missed.countDown();
            }
            reducer.finish(LONG);
            assertEquals(0.5f, x[0]);
          });
    }
  }

  @Test
  void mistakesAreReportedAndLoseNothing() {
    try (Ranks ranks = Ranks.of(1)) {
      GradientReducer.Builder builder = GradientReducer.over(ranks.group(0));
      assertThrows(IllegalArgumentException.class, builder::build);
      float[] x = {5};
      builder.register("first", Payload.of(x));
      builder.register("second", Payload.of(new float[1]));
      GradientReducer reducer = builder.build();
      reducer.ready(1);
      IllegalStateException twice =
          assertThrows(IllegalStateException.class, () -> reducer.ready(1));
      assertTrue(twice.getMessage().contains("second"), twice.getMessage());
      IllegalStateException early =
          assertThrows(IllegalStateException.class, () -> reducer.finish(LONG));
      assertTrue(early.getMessage().contains("[first]"), early.getMessage());
      assertThrows(IllegalArgumentException.class, () -> reducer.ready(2));
      reducer.ready(0);
      reducer.finish(LONG);
      assertEquals(5, x[0]);
      reducer.ready(0); // the next step
    }
  }

  /** By hand: round, divide, round, add, round; of float16 and bfloat16 with 10 and 7 bits. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void compressedGradients_areRoundedDividedAndAdded(int size) {
    try (Ranks ranks = Ranks.of(size)) {
      ranks.each(
          (group, rank) -> {
            for (DataType narrow : new DataType[] {DataType.FLOAT16, DataType.BFLOAT16}) {
              float unit = narrow == DataType.FLOAT16 ? 0x1p-10f : 0x1p-7f; // above 1
              float[] x = {1 + unit / 4, 1 + unit * 3 / 4, 1 + unit / 2, 60_000, 0};
              double[] wide = {1 + unit / 4};
              float[] added = {rank == 0 ? 1 : unit / 4, rank};
              GradientReducer.Builder averages = GradientReducer.over(group).compress(narrow);
              averages.register("x", Payload.of(x));
              averages.register("wide", Payload.of(wide));
              GradientReducer.Builder sums =
                  GradientReducer.over(group).compress(narrow).op(ReduceOp.SUM);
              sums.register("added", Payload.of(added));
              for (GradientReducer reducer : List.of(averages.build(), sums.build())) {
                IntStream.range(0, reducer.buckets()).forEach(reducer::ready);
                reducer.finish(LONG);
              }
              float most = narrow == DataType.FLOAT16 ? 60_000 : 59_904;
              assertArrayEquals(new float[] {1, 1 + unit, 1, most, 0}, x); // no sum of 120,000
              assertArrayEquals(new double[] {1 + unit / 4}, wide); // as it is
              int sum = size * (size - 1) / 2;
              assertArrayEquals(new float[] {1, sum}, added);
            }
          });
    }
  }

  /** What exceeds a float16 is infinite everywhere, and all ranks have the same bits. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5})
  void compressedGradients_haveTheSameBitsAtAllRanks(int size) {
    try (Ranks ranks = Ranks.of(size)) {
      ranks.each(
          (group, rank) -> {
            List<FloatBuffer> tensors = tensors(rank % 2 == 0);
            GradientReducer.Builder builder =
                GradientReducer.over(group).bucketBytes(100_000, 1000).compress(DataType.FLOAT16);
            tensors.forEach(tensor -> builder.register("tensor", Payload.of(tensor)));
            GradientReducer reducer = builder.build();
            Random random = new Random(rank);
            for (int step = 0; step < 3; step++) {
              for (FloatBuffer tensor : tensors) {
                for (int at = 0; at < tensor.limit(); at++) {
                  tensor.put(at, (float) random.nextGaussian() * 20_000);
                }
              }
              tensors.get(0).put(3, rank == 1 ? 65_520 : 1);
              IntStream.range(0, COUNTS.length).forEach(reducer::ready);
              reducer.finish(LONG);
              assertEquals(Float.POSITIVE_INFINITY, tensors.get(0).get(3));
              for (FloatBuffer tensor : tensors) {
                int[] bits = new int[tensor.limit()];
                Arrays.setAll(bits, at -> Float.floatToRawIntBits(tensor.get(at)));
                int[] own = bits.clone();
                group.broadcast(bits, 0);
                assertArrayEquals(bits, own);
              }
            }
          });
    }
  }

  /** Passes without ready send nothing, so that ranks may differ in their number. */
  @Test
  void accumulatedGradients_areReducedOnce() {
    try (Ranks ranks = Ranks.of(3)) {
      ranks.each(
          (group, rank) -> {
            float[] x = new float[2000];
            GradientReducer.Builder builder = GradientReducer.over(group);
            builder.register("x", Payload.of(x));
            GradientReducer reducer = builder.build();
            for (int step = 0; step < 4; step++) {
              Arrays.fill(x, 0);
              int passes = 1 + (rank + step) % 3; // 1, 2 and 3 in some order
              for (int pass = 0; pass < passes; pass++) {
                for (int at = 0; at < x.length; at++) {
                  x[at] += at + step;
                }
              }
              reducer.ready(0);
              reducer.finish(LONG);
              for (int at = 0; at < x.length; at++) {
                assertEquals(2 * (at + step), x[at], 1e-6f * x[at]);
              }
            }
          });
    }
  }
}
