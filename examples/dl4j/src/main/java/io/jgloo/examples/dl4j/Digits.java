package io.jgloo.examples.dl4j;

import io.jgloo.ProcessGroup;
import io.jgloo.examples.DigitImages;
import io.jgloo.gradient.DistributedSampler;
import io.jgloo.nd4j.Dl4jDataParallel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Trains on images of digits: arguments are their file, and the number of epochs. */
public final class Digits {

  private static final int BATCH = 120; // of all ranks
  private static final int IMAGES = 12 * BATCH;

  private Digits() {}

  /** Convolution, pooling, and a layer with an output for each digit. */
  private static MultiLayerNetwork network() {
    MultiLayerConfiguration configuration =
        new NeuralNetConfiguration.Builder()
            .seed(1)
            .updater(new Sgd(0.3))
            .list()
            .layer(new ConvolutionLayer.Builder(3, 3).nOut(8).activation(Activation.RELU).build())
            .layer(new SubsamplingLayer.Builder().kernelSize(2, 2).stride(2, 2).build())
            .layer(
                new OutputLayer.Builder(LossFunction.MCXENT)
                    .nOut(10)
                    .activation(Activation.SOFTMAX)
                    .build())
            .setInputType(InputType.convolutional(DigitImages.SIDE, DigitImages.SIDE, 1))
            .build();
    MultiLayerNetwork network = new MultiLayerNetwork(configuration);
    network.init();
    return network;
  }

  private static DataSet dataSet(DigitImages images, int[] batch) {
    INDArray labels = Nd4j.zeros(batch.length, 10);
    int[] digits = images.digits(batch);
    for (int i = 0; i < digits.length; i++) {
      labels.putScalar(i, digits[i], 1);
    }
    int[] shape = {batch.length, 1, DigitImages.SIDE, DigitImages.SIDE};
    return new DataSet(Nd4j.create(images.pixels(batch), shape), labels);
  }

  static void train(ProcessGroup group, MultiLayerNetwork network, DigitImages images, int epochs) {
    int batch = BATCH / group.size();
    DistributedSampler sampler =
        DistributedSampler.of(IMAGES, group.size(), group.rank()).shuffled(42);
    Dl4jDataParallel parallel = Dl4jDataParallel.of(group, network, options -> {});
    for (int epoch = 0; epoch < epochs; epoch++) {
      int[] own = sampler.indices(epoch);
      double loss = 0;
      for (int first = 0; first < own.length; first += batch) {
        network.fit(dataSet(images, Arrays.copyOfRange(own, first, first + batch)));
        loss += network.score() * batch / own.length;
      }
      double mean = parallel.average(own.length, loss)[0];
      if (group.rank() == 0) {
        System.out.println("loss " + mean);
      }
    }
  }

  public static void main(String[] args) throws IOException {
    MultiLayerNetwork network = network(); // loads ND4J, before a rank waits for others
    try (ProcessGroup group = ProcessGroup.init()) {
      train(group, network, DigitImages.read(Path.of(args[0])), Integer.parseInt(args[1]));
    }
  }
}
