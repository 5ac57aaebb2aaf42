package io.jgloo.nd4j;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.ProcessGroup;
import io.jgloo.Ranks;
import io.jgloo.TrainingContract;
import io.jgloo.TrainingPage;
import io.jgloo.transport.MismatchException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;
import org.nd4j.nativeblas.NativeOpsHolder;

/** Trains networks by several ranks as by one. */
@Timeout(300)
class Dl4jDataParallelTest extends TrainingContract {

  private static final int STEPS = 50;
  private static final int BATCH = 24; // of all ranks
  private static final int INPUTS = 8;
  private static final int CLASSES = 3;

  @BeforeAll
  static void limitThreads() {
    assertNotNull(Nd4j.getBackend()); // loads it
    NativeOpsHolder.getInstance().getDeviceNativeOps().setOmpNumThreads(1);
  }

  private static NeuralNetConfiguration.Builder configuration(long seed, IUpdater updater) {
    return new NeuralNetConfiguration.Builder().seed(seed).updater(updater).l2(1e-3);
  }

  private static DenseLayer hidden(int outputs) {
    return new DenseLayer.Builder().nIn(INPUTS).nOut(outputs).activation(Activation.TANH).build();
  }

  private static OutputLayer output(int inputs) {
    return new OutputLayer.Builder(LossFunction.MCXENT)
        .nIn(inputs)
        .nOut(CLASSES)
        .activation(Activation.SOFTMAX)
        .build();
  }

  private static MultiLayerNetwork network(long seed, int width, IUpdater updater) {
    MultiLayerNetwork network =
        new MultiLayerNetwork(
            configuration(seed, updater).list().layer(hidden(width)).layer(output(width)).build());
    network.init();
    return network;
  }

  /** Its table of parameters is in the order of the names, not of the layers. */
  private static ComputationGraph graph(long seed) {
    ComputationGraph graph =
        new ComputationGraph(
            configuration(seed, new Adam(0.01))
                .graphBuilder()
                .addInputs("in")
                .addLayer("out", output(16), "dense")
                .addLayer("dense", hidden(16), "in")
                .setOutputs("out")
                .build());
    graph.init();
    return graph;
  }

  /** The same rows at all ranks, of which each takes its part of every batch. */
  private static DataSetIterator rows(int rank, int size, int batches) {
    Random random = new Random(7);
    int own = BATCH / size;
    List<DataSet> sets = new ArrayList<>();
    for (int batch = 0; batch < batches; batch++) {
      float[][] features = new float[own][INPUTS];
      float[][] labels = new float[own][CLASSES];
      for (int row = 0; row < BATCH; row++) {
        float[] values = new float[INPUTS];
        for (int i = 0; i < INPUTS; i++) {
          values[i] = (float) random.nextGaussian();
        }
        if (row % size == rank) {
          features[row / size] = values;
          labels[row / size][values[0] > 0 ? 0 : values[1] > 0 ? 1 : 2] = 1;
        }
      }
      sets.add(new DataSet(Nd4j.create(features), Nd4j.create(labels)));
    }
    return new ListDataSetIterator<>(sets, 1);
  }

  private static double[] train(int size, boolean isGraph) {
    double[] losses = new double[STEPS];
    INDArray[] parameters = new INDArray[size];
    try (Ranks ranks = Ranks.of(size)) {
      ranks.each(
          (group, rank) -> {
            MultiLayerNetwork layers = isGraph ? null : network(rank + 1, 16, new Adam(0.01));
            ComputationGraph graph = isGraph ? graph(rank + 1) : null;
            Dl4jDataParallel parallel =
                isGraph
                    ? Dl4jDataParallel.of(group, graph, options -> options.bucketBytes(64, 64))
                    : Dl4jDataParallel.of(group, layers, options -> options.checkParameters(10));
            DataSetIterator rows = rows(rank, size, 10);
            for (int step = 0; step < STEPS; step++) {
              if (!rows.hasNext()) {
                rows.reset();
              }
              DataSet batch = rows.next();
              if (isGraph) {
                graph.fit(batch);
              } else {
                layers.fit(batch);
              }
              double score = isGraph ? graph.score() : layers.score();
              losses[step] = parallel.average(batch.numExamples(), score)[0];
            }
            parameters[rank] = isGraph ? graph.params() : layers.params();
          });
    }
    for (INDArray each : parameters) {
      assertArrayEquals(parameters[0].toFloatVector(), each.toFloatVector(), 0); // in bits
    }
    return losses;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void losses_areThoseOfOneRank(boolean isGraph) {
    double[] alone = train(1, isGraph);
    for (int size : isGraph ? new int[] {2} : new int[] {2, 4}) {
      double[] together = train(size, isGraph);
      for (int step = 0; step < STEPS; step++) {
        assertEquals(alone[step], together[step], 1e-5 * alone[step], size + ", step " + step);
      }
    }
    assertTrue(alone[STEPS - 1] < alone[0] / 2, alone[0] + " " + alone[STEPS - 1]);
  }

  static double fit(ProcessGroup group, MultiLayerNetwork network, DataSetIterator rows) {
    Dl4jDataParallel parallel = Dl4jDataParallel.of(group, network, options -> {});
    network.fit(rows, 2);
    return parallel.average(1, network.score())[0];
  }

  @Test
  void page_hasTheProgram() throws IOException {
    TrainingPage.assertShows(getClass(), "static double fit");
  }

  /** Three iterations of Adam at rank 0, none at rank 1: state and counters are copied. */
  @Test
  void stateOfTheUpdater_isThatOfRank0() {
    MultiLayerNetwork[] networks = {network(1, 16, new Adam(0.1)), network(2, 16, new Adam(0.1))};
    networks[0].fit(rows(0, 1, 3));
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            fit(group, networks[rank], rows(rank, 2, 2));
          });
    }
    assertEquals(7, networks[1].getIterationCount());
    assertEquals(3, networks[1].getEpochCount());
    assertEquals(networks[0].updaterState(), networks[1].updaterState());
    assertEquals(networks[0].params(), networks[1].params());
  }

  @Test
  void statisticsOfBatchNormalization_areAveraged() {
    try (Ranks ranks = Ranks.of(2)) {
      INDArray[] means = new INDArray[2];
      ranks.each(
          (group, rank) -> {
            MultiLayerNetwork network =
                new MultiLayerNetwork(
                    configuration(rank, new Sgd(0.1))
                        .list()
                        .layer(new BatchNormalization.Builder().nIn(INPUTS).nOut(INPUTS).build())
                        .layer(output(INPUTS))
                        .build());
            network.init();
            Dl4jDataParallel.of(group, network, options -> {});
            network.fit(rows(rank, 2, 3));
            means[rank] = network.getParam("0_mean").dup();
          });
      assertTrue(means[0].amaxNumber().doubleValue() > 0);
      assertEquals(means[0], means[1]);
    }
  }

  private interface Mistake {
    void make(ProcessGroup group, int rank);
  }

  private static void assertMessage(
      Class<? extends RuntimeException> type, String part, Mistake mistake) {
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            RuntimeException e = assertThrows(type, () -> mistake.make(group, rank));
            assertTrue(e.getMessage().contains(part), e.getMessage());
          });
    }
  }

  @Test
  void otherNetwork_isNamed() {
    assertMessage(
        MismatchException.class,
        "parameter 0_W of shape [8, 17] (136 float32) at rank 1",
        (group, rank) ->
            Dl4jDataParallel.of(group, network(1, 16 + rank, new Adam()), options -> {}));
    assertMessage(
        MismatchException.class,
        "buffer state of the updater",
        (group, rank) ->
            Dl4jDataParallel.of(
                group, network(1, 16, rank == 0 ? new Adam() : new Sgd()), options -> {}));
  }

  @Test
  void networkThatIsNotInitialized_isRefused() {
    try (Ranks ranks = Ranks.of(1)) {
      ranks.each(
          (group, rank) -> {
            MultiLayerNetwork network =
                new MultiLayerNetwork(
                    configuration(1, new Sgd()).list().layer(output(INPUTS)).build());
            IllegalArgumentException e =
                assertThrows(
                    IllegalArgumentException.class,
                    () -> Dl4jDataParallel.of(group, network, options -> {}));
            assertTrue(e.getMessage().contains("call init() first"), e.getMessage());
          });
    }
  }

  /** Both ranks are told, also the one that has finished its epoch. */
  @Test
  void unequalBatches_areRefusedAtAllRanks() {
    assertMessage(
        IllegalStateException.class,
        "but have 0 to 12 examples",
        (group, rank) -> {
          MultiLayerNetwork network = network(1, 16, new Adam());
          Dl4jDataParallel.of(group, network, options -> {});
          network.fit(rows(rank, 2, 3 + rank), 2);
        });
    assertMessage(
        IllegalStateException.class,
        "but have 8 to 12 examples",
        (group, rank) -> {
          MultiLayerNetwork network = network(1, 16, new Adam());
          Dl4jDataParallel.of(group, network, options -> {});
          network.fit(rows(rank, 2 + rank, 1));
        });
  }

  @Override
  protected String endedEarly() {
    return "but have 0 to 12 examples";
  }

  @Override
  protected Training start(ProcessGroup group) {
    MultiLayerNetwork network = network(1, 16, new Adam());
    Dl4jDataParallel parallel = Dl4jDataParallel.of(group, network, options -> {});
    return new Training() {
      @Override
      public void step() {
        network.fit(rows(group.rank(), 2, 1).next());
      }

      @Override
      public void endEpoch() {
        parallel.onEpochEnd(network);
      }

      @Override
      public float[] parameters() {
        return network.params().toFloatVector();
      }

      @Override
      public void close() {
        network.close();
      }
    };
  }
}
