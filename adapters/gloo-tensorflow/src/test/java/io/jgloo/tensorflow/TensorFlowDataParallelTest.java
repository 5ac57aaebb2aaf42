package io.jgloo.tensorflow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.Ranks;
import io.jgloo.TrainingContract;
import io.jgloo.TrainingPage;
import io.jgloo.transport.MismatchException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.Result;
import org.tensorflow.Session;
import org.tensorflow.framework.optimizers.Adam;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.ndarray.StdArrays;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Placeholder;
import org.tensorflow.op.core.Variable;
import org.tensorflow.types.TFloat32;

/** Trains graphs by several ranks as by one. */
@Timeout(300)
class TensorFlowDataParallelTest extends TrainingContract {

  private static final int STEPS = 50;
  private static final int BATCHES = 10;
  private static final int BATCH = 24; // of all ranks
  private static final int INPUTS = 8;
  private static final int CLASSES = 3;

  private static float[][] normal(long seed, int rows, int columns) {
    Random random = new Random(seed);
    float[][] values = new float[rows][columns];
    for (float[] row : values) {
      for (int i = 0; i < columns; i++) {
        row[i] = (float) random.nextGaussian();
      }
    }
    return values;
  }

  private static float[][] classes(float[][] rows) {
    float[][] labels = new float[rows.length][CLASSES];
    for (int i = 0; i < rows.length; i++) {
      labels[i][rows[i][0] > 0 ? 0 : rows[i][1] > 0 ? 1 : 2] = 1;
    }
    return labels;
  }

  /** A net of two layers. */
  private static final class Net implements AutoCloseable {
    final Graph graph = new Graph();
    final Placeholder<TFloat32> x;
    final Placeholder<TFloat32> y;
    final Variable<TFloat32> weights;
    final Operand<TFloat32> loss;

    Net(long seed, int width) {
      Ops tf = Ops.create(graph);
      x = tf.placeholder(TFloat32.class, Placeholder.shape(Shape.of(-1, INPUTS)));
      y = tf.placeholder(TFloat32.class, Placeholder.shape(Shape.of(-1, CLASSES)));
      weights = variable(tf, normal(seed, INPUTS, width));
      Variable<TFloat32> output = variable(tf, normal(seed + 100, width, CLASSES));
      Operand<TFloat32> hidden = tf.math.tanh(tf.linalg.matMul(x, weights));
      loss =
          tf.math.mean(
              tf.nn.softmaxCrossEntropyWithLogits(tf.linalg.matMul(hidden, output), y).loss(),
              tf.constant(0));
    }

    private static Variable<TFloat32> variable(Ops tf, float[][] values) {
      return tf.variable(tf.constant(values));
    }

    float[] values(Session session, Variable<TFloat32> variable) {
      try (Result result = session.runner().fetch(variable).run()) {
        float[] values = new float[(int) result.get(0).shape().size()];
        TensorFlowTensors.of(result.get(0)).copyTo(Payload.of(values));
        return values;
      }
    }

    @Override
    public void close() {
      graph.close();
    }
  }

  private static TFloat32 tensor(float[][] rows) {
    return TFloat32.tensorOf(StdArrays.ndCopyOf(rows));
  }

  static double step(TensorFlowDataParallel parallel, Session session, Net net, float[][] rows) {
    try (TFloat32 x = tensor(rows);
        TFloat32 y = tensor(classes(rows));
        Result result =
            parallel.step(session, run -> run.feed(net.x, x).feed(net.y, y).fetch(net.loss))) {
      return parallel.average(rows.length, ((TFloat32) result.get(0)).getFloat())[0];
    }
  }

  @Test
  void page_hasTheProgram() throws IOException {
    TrainingPage.assertShows(getClass(), "static double step");
  }

  private interface Body {
    void run(TensorFlowDataParallel parallel, Session session, Net net) throws Exception;
  }

  private static void withSession(ProcessGroup group, Net net, Body body) throws Exception {
    try (net;
        TensorFlowDataParallel parallel =
            new TensorFlowDataParallel(
                group,
                new Adam(net.graph, 0.01f),
                net.loss,
                options -> options.bucketBytes(64, 4));
        Session session = new Session(net.graph)) {
      session.initialize();
      body.run(parallel, session, net);
    }
  }

  private static double[] train(int size) {
    double[] losses = new double[STEPS];
    float[][] weights = new float[size][];
    float[][] all = normal(7, BATCHES * BATCH, INPUTS);
    int own = BATCH / size;
    try (Ranks ranks = Ranks.of(size)) {
      ranks.each(
          (group, rank) ->
              withSession(
                  group,
                  new Net(rank, 16),
                  (parallel, session, net) -> {
                    parallel.start(session);
                    for (int step = 0; step < STEPS; step++) {
                      int start = step % BATCHES * BATCH + rank * own;
                      float[][] rows = Arrays.copyOfRange(all, start, start + own);
                      losses[step] = step(parallel, session, net, rows);
                    }
                    weights[rank] = net.values(session, net.weights);
                  }));
    }
    for (int rank = 0; rank < size; rank++) {
      assertArrayEquals(weights[0], weights[rank], 0); // in bits
    }
    return losses;
  }

  @Test
  void losses_areThoseOfOneRank() {
    double[] alone = train(1);
    for (int size : new int[] {2, 4}) {
      double[] together = train(size);
      for (int step = 0; step < STEPS; step++) {
        assertEquals(alone[step], together[step], 1e-5 * alone[step], size + ", step " + step);
      }
    }
    assertTrue(alone[STEPS - 1] < alone[0] * 0.8, alone[0] + " and " + alone[STEPS - 1]);
  }

  /** Rank 1 begins again in a new session after three steps. */
  @Test
  void stateOfTheOptimizer_isThatOfRank0() {
    float[][] weights = new float[2][];
    float[][] rows = normal(7, BATCH, INPUTS);
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) ->
              withSession(
                  group,
                  new Net(rank, 16),
                  (parallel, session, net) -> {
                    parallel.start(session);
                    for (int step = 0; step < 3; step++) {
                      step(parallel, session, net, rows);
                    }
                    try (Session fresh = new Session(net.graph)) {
                      fresh.initialize();
                      Session used = rank == 0 ? session : fresh;
                      parallel.start(used);
                      step(parallel, used, net, rows);
                      weights[rank] = net.values(used, net.weights);
                    }
                  }));
    }
    assertArrayEquals(weights[0], weights[1], 0);
  }

  private static void assertMessage(Throwable e, String part) {
    assertTrue(e.getMessage().contains(part), e.getMessage());
  }

  @Test
  void otherGraph_isNamed() {
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) ->
              withSession(
                  group,
                  new Net(1, 16 + rank),
                  (parallel, session, net) ->
                      assertMessage(
                          assertThrows(MismatchException.class, () -> parallel.start(session)),
                          "of shape [8, 17] (136 float32) at rank 1")));
    }
  }

  @Test
  void callsInAWrongOrder_areRefused() {
    try (Ranks ranks = Ranks.of(1);
        Graph graph = new Graph()) {
      ranks.each(
          (group, rank) -> {
            withSession(
                group,
                new Net(1, 16),
                (parallel, session, net) ->
                    assertMessage(
                        assertThrows(
                            IllegalStateException.class,
                            () -> step(parallel, session, net, normal(1, 4, INPUTS))),
                        "call start(session) after session.initialize()"));
            Operand<TFloat32> constant = Ops.create(graph).constant(1f);
            assertMessage(
                assertThrows(
                    IllegalArgumentException.class,
                    () -> new TensorFlowDataParallel(group, new Adam(graph), constant, o -> {})),
                "must depend on a variable");
          });
    }
  }

  @Override
  protected Training start(ProcessGroup group) {
    Net net = new Net(group.rank(), 16);
    TensorFlowDataParallel parallel =
        new TensorFlowDataParallel(group, new Adam(net.graph, 0.01f), net.loss, options -> {});
    Session session = new Session(net.graph);
    session.initialize();
    parallel.start(session);
    return new Training() {
      @Override
      public void step() {
        TensorFlowDataParallelTest.step(parallel, session, net, normal(1, 4, INPUTS));
      }

      @Override
      public void endEpoch() {
        parallel.average(1, 0.5);
      }

      @Override
      public float[] parameters() {
        return net.values(session, net.weights);
      }

      @Override
      public void close() {
        session.close();
        parallel.close();
        net.close();
      }
    };
  }
}
