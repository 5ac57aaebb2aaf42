package io.jgloo.gradient;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.Ranks;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.gradient.GradientReducer.Divisor;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.MismatchException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A linear model that is trained by several ranks as by one. */
@Timeout(120)
class DataParallelTest {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int FEATURES = 7;
  private static final int BATCH = 24; // of all ranks

  /** Linear regression; a rank has some rows of each batch. */
  private static final class Model {
    private final float[] weights = new float[FEATURES];
    private final float[] bias = new float[1];
    private final long[] seen = {1};
    private final float[] weightGradient = new float[FEATURES];
    private final float[] biasGradient = new float[1];
    private final DataParallel parallel;

    Model(ProcessGroup group, Consumer<DataParallel.Builder> more) {
      Random random = new Random(group.rank()); // each rank starts with other values
      for (int i = 0; i < FEATURES; i++) {
        weights[i] = random.nextFloat();
      }
      seen[0] = group.rank() + 1L;
      DataParallel.Builder builder = DataParallel.over(group);
      assertEquals(0, builder.parameter("weights", Payload.of(weights), FEATURES, 1));
      assertEquals(1, builder.parameter("bias", Payload.of(bias)));
      builder.buffer("seen", Payload.of(seen)).bucketBytes(4, 4);
      more.accept(builder);
      parallel = builder.build();
    }

    /** Adds gradients of rows of a batch; returns the mean loss of these rows. */
    double pass(int step, int from, int to, int by) {
      double loss = 0;
      int rows = 0;
      for (int row = from; row < to; row += by) {
        rows++;
      }
      for (int row = from; row < to; row += by) {
        Random random = new Random(1000L * step + row);
        float[] x = new float[FEATURES];
        float error = bias[0] - 3;
        for (int i = 0; i < FEATURES; i++) {
          x[i] = random.nextFloat();
          error += (weights[i] - i) * x[i];
        }
        for (int i = 0; i < FEATURES; i++) {
          weightGradient[i] += 2 * error * x[i] / rows;
        }
        biasGradient[0] += 2 * error / rows;
        loss += (double) error * error / rows;
      }
      return loss;
    }

    void ready() {
      parallel.ready(1, Payload.of(biasGradient));
      parallel.ready(0, Payload.of(weightGradient));
    }

    void update() {
      for (int i = 0; i < FEATURES; i++) {
        weights[i] -= 0.1f * weightGradient[i];
      }
      bias[0] -= 0.1f * biasGradient[0];
      clear();
    }

    void clear() {
      Arrays.fill(weightGradient, 0);
      biasGradient[0] = 0;
    }
  }

  private static float[] train(int size, float[] losses) {
    float[][] all = new float[size][];
    try (Ranks ranks = Ranks.of(size)) {
      ranks.each(
          (group, rank) -> {
            Model model = new Model(group, builder -> builder.checkParameters(3));
            assertEquals(1, model.seen[0]);
            for (int step = 0; step < losses.length; step++) {
              double loss = model.pass(step, rank, BATCH, size);
              model.ready();
              model.parallel.finish(LONG);
              model.update();
              double mean = model.parallel.average(BATCH / size, loss)[0];
              if (rank == 0) {
                losses[step] = (float) mean;
              }
            }
            all[rank] = model.weights;
          });
    }
    for (float[] weights : all) {
      assertArrayEquals(all[0], weights); // in bits
    }
    return all[0];
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void losses_areThoseOfOneRank(int size) {
    float[] alone = new float[50];
    float[] together = new float[50];
    train(1, alone);
    train(size, together);
    for (int step = 0; step < alone.length; step++) {
      assertEquals(alone[step], together[step], 1e-5 * Math.max(1, alone[step]), "step " + step);
    }
    assertTrue(together[49] < together[0] / 4, Arrays.toString(together));
  }

  @Test
  void rankOutOfInput_getsTheParametersOfTheLast() {
    try (Ranks ranks = Ranks.of(3)) {
      float[][] all = new float[3][];
      ranks.each(
          (group, rank) -> {
            Model model = new Model(group, builder -> builder.joinable(Divisor.ACTIVE));
            for (int step = 0; step < 2 * rank; step++) {
              Arrays.fill(model.weightGradient, 6);
              model.ready();
              model.parallel.finish(LONG);
              assertEquals(6, model.weightGradient[0]); // of those that have input
              model.update();
            }
            float[] own = model.weights.clone();
            assertEquals(2, model.parallel.join(LONG));
            assertEquals(rank == 2, Arrays.equals(own, model.weights));
            all[rank] = model.weights;
            double[] metrics = model.parallel.average(rank, rank == 0 ? Double.NaN : 3 * rank);
            assertEquals((3 + 2 * 6) / 3.0, metrics[0]);
          });
      assertArrayEquals(all[2], all[0]);
      assertArrayEquals(all[2], all[1]);
    }
  }

  @Test
  void bucketHook_replacesTheAllreduce() {
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            List<Long> counts = new ArrayList<>();
            Model model =
                new Model(
                    group,
                    builder ->
                        builder.bucketHook(
                            (same, bucket) -> {
                              counts.add(bucket.count());
                              return same.async().allreduce(bucket, ReduceOp.MAX);
                            }));
            Arrays.fill(model.weightGradient, rank + 1);
            model.ready();
            model.parallel.finish(LONG);
            assertEquals(List.of(1L, (long) FEATURES), counts); // the last layer first
            assertEquals(2, model.weightGradient[0]); // the greatest, not the average
          });
    }
  }

  private static String difference(Consumer<DataParallel.Builder> first) {
    return difference(first, builder -> builder.parameter("w", Payload.of(new float[6]), 2, 3));
  }

  private static String difference(
      Consumer<DataParallel.Builder> first, Consumer<DataParallel.Builder> second) {
    String[] messages = new String[2];
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            DataParallel.Builder builder = DataParallel.over(group);
            (rank == 0 ? first : second).accept(builder);
            messages[rank] = assertThrows(MismatchException.class, builder::build).getMessage();
            group.barrier(); // which lives on
          });
    }
    assertEquals(messages[0], messages[1]);
    return messages[0];
  }

  @Test
  void otherModel_isNamedWithBothRanks() {
    assertEquals(
        "ranks 0 and 1 have unlike models: parameter w of shape [3, 2] (6 float32) at rank 0,"
            + " parameter w of shape [2, 3] (6 float32) at rank 1",
        difference(builder -> builder.parameter("w", Payload.of(new float[6]), 3, 2)));
    assertEquals(
        "ranks 0 and 1 have unlike models: buffer w of shape [2, 3] (6 float32) at rank 0,"
            + " parameter w of shape [2, 3] (6 float32) at rank 1", // frozen at one rank only
        difference(
            builder -> {
              builder.buffer("w", Payload.of(new float[6]), 2, 3);
              builder.parameter("v", Payload.of(new float[1]));
            }));
    assertEquals(
        "ranks 0 and 1 have unlike models: parameter b of shape [] (1 float64) at rank 0,"
            + " nothing more at rank 1", // missing at one rank
        difference(
            builder -> {
              builder.parameter("w", Payload.of(new float[6]), 2, 3);
              builder.parameter("b", Payload.of(new double[1]));
            }));
  }

  @Test
  void unusedParameter_isNamed_andMayFollow() {
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            Model model = new Model(group, builder -> {});
            model.parallel.ready(1, Payload.of(model.biasGradient));
            if (rank == 0) {
              IllegalStateException e =
                  assertThrows(IllegalStateException.class, () -> model.parallel.finish(LONG));
              assertEquals("not ready in this step: [weights]", e.getMessage());
            }
            model.parallel.ready(0, Payload.of(model.weightGradient));
            model.parallel.finish(LONG);
          });
    }
  }

  @Test
  void parametersThatDrift_areFoundByTheCheck() {
    try (Ranks ranks = Ranks.of(3)) {
      ranks.each(
          (group, rank) -> {
            Model model = new Model(group, builder -> builder.checkParameters(2));
            if (rank == 2) {
              model.bias[0] = Math.nextUp(model.bias[0]);
            }
            model.ready();
            model.parallel.finish(LONG); // not compared in this step
            model.ready();
            MismatchException e =
                assertThrows(MismatchException.class, () -> model.parallel.finish(LONG));
            assertTrue(
                e.getMessage()
                    .startsWith("ranks 0 and 2 have unlike parameters in step 2: bias with digest"),
                e.getMessage());
          });
    }
  }

  @Test
  void lostRank_failsTheStepOfTheOthers() {
    try (Ranks ranks = Ranks.of(3)) {
      ranks.each(
          (group, rank) -> {
            Model model = new Model(group, builder -> {});
            if (rank == 1) {
              group.close();
              return;
            }
            JGlooException e =
                assertThrows(
                    JGlooException.class,
                    () -> {
                      model.ready();
                      model.parallel.finish(LONG);
                    });
            assertTrue(e.getMessage().contains("1"), e.getMessage());
          });
    }
  }

  @Test
  void badArguments_areRefused() {
    try (Ranks ranks = Ranks.of(1)) {
      ranks.each(
          (group, rank) -> {
            DataParallel.Builder builder = DataParallel.over(group);
            assertThrows(IllegalArgumentException.class, builder::build);
            assertThrows(IllegalArgumentException.class, () -> builder.checkParameters(0));
            IllegalArgumentException e =
                assertThrows(
                    IllegalArgumentException.class,
                    () -> builder.parameter("w", Payload.of(new float[6]), 2, 4));
            assertEquals("shape of w must have 6 float32, but is [2, 4]", e.getMessage());
            builder.parameter("w", Payload.of(new float[6]));
            builder.checkParameters(1).joinable(Divisor.SIZE);
            assertThrows(IllegalArgumentException.class, builder::build);
          });
    }
  }
}
