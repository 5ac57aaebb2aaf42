package io.jgloo.djl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.Model;
import ai.djl.metric.Metrics;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Parameter;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.BatchNorm;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.GradientCollector;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.ArrayDataset;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Dataset;
import ai.djl.training.evaluator.Accuracy;
import ai.djl.training.listener.EvaluatorTrainingListener;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.translate.TranslateException;
import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.Ranks;
import io.jgloo.TrainingContract;
import io.jgloo.TrainingPage;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.MismatchException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Trains blocks by several ranks as by one. */
@Timeout(300)
class DjlDataParallelTest extends TrainingContract {

  private static final int EPOCHS = 5;
  private static final int BATCHES = 10;
  private static final int BATCH = 24; // of all ranks
  private static final int INPUTS = 8;
  private static final int CLASSES = 3;
  private static final String LOSS = "train_all_SoftmaxCrossEntropyLoss";

  /** DJL has one collector of gradients in a process; here each rank is a thread. */
  private static final Semaphore COLLECTOR = new Semaphore(1);

  private static final class RankTrainer extends Trainer {
    RankTrainer(Model model, DefaultTrainingConfig config) {
      super(model, config);
    }

    @Override
    public GradientCollector newGradientCollector() {
      COLLECTOR.acquireUninterruptibly();
      GradientCollector collector = super.newGradientCollector();
      return new GradientCollector() {
        @Override
        public void backward(NDArray target) {
          collector.backward(target);
        }

        @Override
        public void zeroGradients() {
          collector.zeroGradients();
        }

        @Override
        public void close() {
          collector.close();
          COLLECTOR.release();
        }
      };
    }
  }

  @BeforeAll
  static void limitThreads() {
    System.setProperty("ai.djl.pytorch.num_threads", "1"); // ranks are threads
  }

  private static SequentialBlock block(int width, boolean isNormalized) {
    SequentialBlock block = new SequentialBlock();
    block.add(Linear.builder().setUnits(width).build());
    if (isNormalized) {
      block.add(BatchNorm.builder().build());
    }
    block.add(Activation::tanh);
    return block.add(Linear.builder().setUnits(CLASSES).build());
  }

  private interface Body {
    void run(Trainer trainer, DjlDataParallel parallel) throws Exception;
  }

  private static Trainer trainer(
      Model model, SequentialBlock block, DjlDataParallel parallel, ProcessGroup group) {
    DefaultTrainingConfig config =
        new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
            .optOptimizer(Optimizer.adam().build())
            .addEvaluator(new Accuracy())
            .addTrainingListeners(new EvaluatorTrainingListener(), parallel);
    model.setBlock(block);
    Trainer trainer = new RankTrainer(model, config);
    trainer.setMetrics(new Metrics());
    trainer.initialize(new Shape(1, INPUTS));
    if (group.rank() == 0) {
      setSmallValues(trainer);
    }
    return trainer;
  }

  /** Runs with an initialized trainer, whose listener is not started. */
  private static void withTrainer(ProcessGroup group, SequentialBlock block, Body body)
      throws Exception {
    DjlDataParallel parallel = new DjlDataParallel(group, options -> options.checkParameters(10));
    try (Model model = Model.newInstance("test");
        Trainer trainer = trainer(model, block, parallel, group)) {
      body.run(trainer, parallel);
    }
  }

  /** Rank 0 begins with the same parameters in each training, the others with random ones. */
  private static void setSmallValues(Trainer trainer) {
    Random random = new Random(3);
    for (Parameter each : trainer.getModel().getBlock().getParameters().values()) {
      NDArray array = each.getArray();
      float[] values = new float[(int) array.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) random.nextGaussian() / 4;
      }
      Payload.of(values).copyTo(DjlTensors.of(array));
    }
  }

  private static ArrayDataset rows(NDManager manager, DjlDataParallel parallel, int batchSize) {
    Random random = new Random(7);
    float[] features = new float[BATCHES * BATCH * INPUTS];
    float[] labels = new float[BATCHES * BATCH];
    for (int i = 0; i < features.length; i++) {
      features[i] = (float) random.nextGaussian();
    }
    for (int row = 0; row < labels.length; row++) {
      labels[row] = features[row * INPUTS] > 0 ? 0 : features[row * INPUTS + 1] > 0 ? 1 : 2;
    }
    return new ArrayDataset.Builder()
        .setData(manager.create(features, new Shape(labels.length, INPUTS)))
        .optLabels(manager.create(labels))
        .setSampling(parallel.sampler(batchSize, 42))
        .build();
  }

  private static float[] values(Trainer trainer, boolean isTrained) {
    List<Float> all = new ArrayList<>();
    for (Parameter each : trainer.getModel().getBlock().getParameters().values()) {
      if (each.requiresGradient() == isTrained) {
        for (float value : each.getArray().toFloatArray()) {
          all.add(value);
        }
      }
    }
    float[] values = new float[all.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = all.get(i);
    }
    return values;
  }

  static double fit(Trainer trainer, DjlDataParallel parallel, Dataset rows)
      throws IOException, TranslateException {
    parallel.start(trainer);
    EasyTrain.fit(trainer, 5, rows, null);
    return trainer.getTrainingResult().getTrainLoss();
  }

  @Test
  void page_hasTheProgram() throws IOException {
    TrainingPage.assertShows(getClass(), "static double fit");
  }

  private static double[] train(int size) {
    double[] losses = new double[EPOCHS * BATCHES];
    float[][] parameters = new float[size][];
    double[] last = new double[size];
    try (Ranks ranks = Ranks.of(size)) {
      ranks.each(
          (group, rank) ->
              withTrainer(
                  group,
                  block(16, false),
                  (trainer, parallel) -> {
                    last[rank] =
                        fit(trainer, parallel, rows(trainer.getManager(), parallel, BATCH / size));
                    double[] own =
                        trainer.getMetrics().getMetric(LOSS).stream()
                            .mapToDouble(metric -> metric.getValue().doubleValue())
                            .toArray();
                    group.allreduce(own, ReduceOp.AVG);
                    parameters[rank] = values(trainer, true);
                    if (rank == 0) {
                      System.arraycopy(own, 0, losses, 0, losses.length);
                    }
                  }));
    }
    double mean = 0;
    for (int step = losses.length - BATCHES; step < losses.length; step++) {
      mean += losses[step] / BATCHES;
    }
    for (int rank = 0; rank < size; rank++) {
      assertArrayEquals(parameters[0], parameters[rank], 0); // in bits
      assertEquals(mean, last[rank], 1e-5 * mean, "averaged loss of the last epoch");
    }
    return losses;
  }

  @Test
  void losses_areThoseOfOneRank() {
    double[] alone = train(1);
    for (int size : new int[] {2, 4}) {
      double[] together = train(size);
      for (int step = 0; step < alone.length; step++) {
        assertEquals(alone[step], together[step], 1e-5 * alone[step], size + ", step " + step);
      }
    }
    double first = Arrays.stream(alone, 0, BATCHES).sum();
    double last = Arrays.stream(alone, alone.length - BATCHES, alone.length).sum();
    assertTrue(last < first * 0.9, first + " in the first epoch, " + last + " in the last");
  }

  @Test
  void samplesOfRanks_areDifferentAndShuffledAlike() {
    try (Ranks ranks = Ranks.of(1);
        NDManager manager = NDManager.newBaseManager()) {
      ranks.each(
          (group, rank) -> {
            ArrayDataset rows = rows(manager, new DjlDataParallel(group, options -> {}), 1);
            RankSampler[] samplers = {new RankSampler(0, 2, 50, 1), new RankSampler(1, 2, 50, 1)};
            List<List<Long>> first = new ArrayList<>();
            for (int epoch = 0; epoch < 2; epoch++) {
              Set<Long> seen = new HashSet<>();
              for (RankSampler sampler : samplers) {
                List<Integer> sizes = new ArrayList<>();
                List<Long> all = new ArrayList<>();
                sampler
                    .sample(rows)
                    .forEachRemaining(
                        batch -> {
                          sizes.add(batch.size());
                          all.addAll(batch);
                        });
                assertEquals(List.of(50, 50, 20), sizes);
                seen.addAll(all);
                first.add(all);
              }
              assertEquals(BATCHES * BATCH, seen.size());
            }
            assertTrue(!first.get(0).equals(first.get(2)), "the order of the second epoch");
          });
    }
    assertThrows(IllegalArgumentException.class, () -> new RankSampler(0, 1, 0, 1));
  }

  @Test
  void statisticsOfBatchNormalization_areThoseOfRank0AfterAnEpoch() {
    float[][] statistics = new float[2][];
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) ->
              withTrainer(
                  group,
                  block(16, true),
                  (trainer, parallel) -> {
                    fit(trainer, parallel, rows(trainer.getManager(), parallel, 12));
                    statistics[rank] = values(trainer, false);
                  }));
    }
    assertTrue(statistics[0].length == 32 && statistics[0][0] != 0);
    assertArrayEquals(statistics[0], statistics[1], 0);
  }

  private static void assertMessage(Throwable e, String part) {
    assertTrue(e.getMessage().contains(part), e.getMessage());
  }

  @Test
  void otherBlock_isNamed() {
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            withTrainer(
                group,
                block(16 + rank, false),
                (trainer, parallel) ->
                    assertMessage(
                        assertThrows(MismatchException.class, () -> parallel.start(trainer)),
                        "parameter 01Linear_weight of shape [17, 8] (136 float32) at rank 1"));
            withTrainer(
                group,
                block(16, false),
                (trainer, parallel) -> {
                  Parameter weight = trainer.getModel().getBlock().getParameters().valueAt(0);
                  weight.freeze(rank == 1);
                  assertMessage(
                      assertThrows(MismatchException.class, () -> parallel.start(trainer)),
                      "buffer 01Linear_weight");
                });
          });
    }
  }

  /** The backward pass of rank 1 reaches the last layer only. */
  @Test
  void parameterWithoutGradientAtOneRank_isNamedThere() {
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) ->
              withTrainer(
                  group,
                  block(16, false),
                  (trainer, parallel) -> {
                    parallel.start(trainer);
                    Batch batch =
                        rows(trainer.getManager(), parallel, 12)
                            .getData(trainer.getManager())
                            .iterator()
                            .next();
                    try (GradientCollector collector = trainer.newGradientCollector()) {
                      NDList input = batch.getData();
                      NDArray loss =
                          rank == 0
                              ? trainer.forward(input).head().sum()
                              : trainer
                                  .getModel()
                                  .getBlock()
                                  .getParameters()
                                  .valueAt(2)
                                  .getArray()
                                  .square()
                                  .sum();
                      collector.backward(loss);
                    }
                    if (rank == 0) {
                      parallel.averageGradients();
                    } else {
                      assertMessage(
                          assertThrows(IllegalStateException.class, parallel::averageGradients),
                          "of shape (16, 8) has no gradient at this rank, but at another");
                    }
                  }));
    }
  }

  @Test
  void callsInAWrongOrder_areRefused() {
    try (Ranks ranks = Ranks.of(1)) {
      ranks.each(
          (group, rank) -> {
            withTrainer(
                group,
                block(16, false),
                (trainer, parallel) ->
                    assertMessage(
                        assertThrows(IllegalStateException.class, parallel::averageGradients),
                        "call start(trainer) after trainer.initialize"));
            try (Model model = Model.newInstance("test")) {
              model.setBlock(block(16, false));
              DjlDataParallel early = new DjlDataParallel(group, options -> {});
              DefaultTrainingConfig config =
                  new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
                      .addTrainingListeners(early, new EvaluatorTrainingListener());
              try (Trainer trainer = new RankTrainer(model, config)) {
                assertMessage(
                    assertThrows(IllegalArgumentException.class, () -> early.start(trainer)),
                    "must be initialized, but parameter 01Linear_weight is not");
                trainer.initialize(new Shape(1, INPUTS));
                assertMessage(
                    assertThrows(
                        IllegalStateException.class,
                        () -> fit(trainer, early, rows(trainer.getManager(), early, 24))),
                    "after the EvaluatorTrainingListener");
              }
            }
          });
    }
  }

  @Override
  protected Training start(ProcessGroup group) {
    Model model = Model.newInstance("test");
    DjlDataParallel parallel = new DjlDataParallel(group, options -> {});
    Trainer trainer = trainer(model, block(16, false), parallel, group);
    parallel.start(trainer);
    return new Training() {
      @Override
      public void step() throws Exception {
        ArrayDataset rows = rows(trainer.getManager(), parallel, 12);
        try (Batch batch = trainer.iterateDataset(rows).iterator().next()) {
          EasyTrain.trainBatch(trainer, batch);
          trainer.step();
        }
      }

      @Override
      public void endEpoch() {
        parallel.onEpoch(trainer);
      }

      @Override
      public float[] parameters() {
        return values(trainer, true);
      }

      @Override
      public void close() {
        trainer.close();
        model.close();
      }
    };
  }
}
