package io.jgloo.examples.tensorflow;

import io.jgloo.ProcessGroup;
import io.jgloo.examples.DigitImages;
import io.jgloo.gradient.DistributedSampler;
import io.jgloo.tensorflow.TensorFlowDataParallel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.Result;
import org.tensorflow.Session;
import org.tensorflow.framework.optimizers.GradientDescent;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.ndarray.buffer.DataBuffers;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Placeholder;
import org.tensorflow.op.random.TruncatedNormal;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TInt32;

/** Trains on images of digits: arguments are their file, and the number of epochs. */
public final class Digits {

  private static final int BATCH = 120; // of all ranks
  private static final int IMAGES = 12 * BATCH;

  private Digits() {}

  /** Convolution, pooling, and a layer with an output for each digit. */
  private record Net(Placeholder<TFloat32> x, Placeholder<TInt32> y, Operand<TFloat32> loss) {

    static Net of(Ops tf) {
      Shape images = Shape.of(-1, DigitImages.SIDE, DigitImages.SIDE, 1);
      Placeholder<TFloat32> x = tf.placeholder(TFloat32.class, Placeholder.shape(images));
      Placeholder<TInt32> y = tf.placeholder(TInt32.class, Placeholder.shape(Shape.of(-1)));
      Operand<TFloat32> convolved =
          tf.nn.conv2d(x, weights(tf, 3, 3, 1, 8), List.of(1L, 1L, 1L, 1L), "VALID");
      Operand<TInt32> two = tf.array(1, 2, 2, 1);
      Operand<TFloat32> pooled = tf.nn.maxPool(tf.nn.relu(convolved), two, two, "VALID");
      Operand<TFloat32> logits =
          tf.math.add(
              tf.linalg.matMul(tf.reshape(pooled, tf.array(-1, 72)), weights(tf, 72, 10)),
              tf.variable(tf.zeros(tf.array(10), TFloat32.class)));
      Operand<TFloat32> labels = tf.oneHot(y, tf.constant(10), tf.constant(1f), tf.constant(0f));
      Operand<TFloat32> losses = tf.nn.softmaxCrossEntropyWithLogits(logits, labels).loss();
      return new Net(x, y, tf.math.mean(losses, tf.constant(0)));
    }

    private static Operand<TFloat32> weights(Ops tf, int... shape) {
      Operand<TFloat32> normal =
          tf.random.truncatedNormal(tf.array(shape), TFloat32.class, TruncatedNormal.seed(1L));
      return tf.variable(tf.math.mul(normal, tf.constant(0.1f)));
    }
  }

  /** The loss of one step, of the batch of this rank. */
  private static float step(
      TensorFlowDataParallel parallel, Session session, Net net, DigitImages images, int[] batch) {
    Shape shape = Shape.of(batch.length, DigitImages.SIDE, DigitImages.SIDE, 1);
    try (TFloat32 x = TFloat32.tensorOf(shape, DataBuffers.of(images.pixels(batch)));
        TInt32 y = TInt32.vectorOf(images.digits(batch));
        Result result =
            parallel.step(session, run -> run.feed(net.x, x).feed(net.y, y).fetch(net.loss))) {
      return ((TFloat32) result.get(0)).getFloat();
    }
  }

  static void train(ProcessGroup group, Graph graph, DigitImages images, int epochs) {
    Net net = Net.of(Ops.create(graph));
    int batch = BATCH / group.size();
    DistributedSampler sampler =
        DistributedSampler.of(IMAGES, group.size(), group.rank()).shuffled(42);
    GradientDescent optimizer = new GradientDescent(graph, 0.3f);
    try (TensorFlowDataParallel parallel =
            new TensorFlowDataParallel(group, optimizer, net.loss, options -> {});
        Session session = new Session(graph)) {
      session.initialize();
      parallel.start(session);
      for (int epoch = 0; epoch < epochs; epoch++) {
        int[] own = sampler.indices(epoch);
        double loss = 0;
        for (int first = 0; first < own.length; first += batch) {
          int[] next = Arrays.copyOfRange(own, first, first + batch);
          loss += step(parallel, session, net, images, next) * (double) batch / own.length;
        }
        double mean = parallel.average(own.length, loss)[0];
        if (group.rank() == 0) {
          System.out.println("loss " + mean);
        }
      }
    }
  }

  public static void main(String[] args) throws IOException {
    try (Graph graph = new Graph(); // loads TensorFlow, before a rank waits for others
        ProcessGroup group = ProcessGroup.init()) {
      train(group, graph, DigitImages.read(Path.of(args[0])), Integer.parseInt(args[1]));
    }
  }
}
