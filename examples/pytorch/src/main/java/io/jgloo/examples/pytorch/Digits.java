package io.jgloo.examples.pytorch;

import static org.bytedeco.pytorch.global.torch.cross_entropy;
import static org.bytedeco.pytorch.global.torch.max_pool2d;
import static org.bytedeco.pytorch.global.torch.relu;

import io.jgloo.ProcessGroup;
import io.jgloo.gradient.DistributedSampler;
import io.jgloo.pytorch.TorchDataParallel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.pytorch.Conv2dImpl;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.SGD;
import org.bytedeco.pytorch.SGDOptions;
import org.bytedeco.pytorch.Tensor;

/** Trains on images of digits: arguments are their file, and the number of steps. */
public final class Digits {

  private static final int SIDE = 8; // pixels

  private Digits() {}

  /** Convolution, pooling, and a layer with an output for each digit. */
  static final class Net extends Module {
    final Conv2dImpl convolution =
        register_module("convolution", new Conv2dImpl(1, 8, new LongPointer(3, 3)));
    private final LinearImpl linear = register_module("linear", new LinearImpl(8 * 3 * 3, 10));

    Tensor forward(Tensor x) {
      return linear.forward(max_pool2d(relu(convolution.forward(x)), 2, 2).flatten(1, -1));
    }
  }

  /** A line for each image: 64 gray levels from 0 to 16, and the digit. */
  static List<float[]> read(Path csv) throws IOException {
    try (InputStream file = new GZIPInputStream(Files.newInputStream(csv));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(file, StandardCharsets.US_ASCII))) {
      List<float[]> images = new ArrayList<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] values = line.split(",");
        float[] image = new float[values.length];
        for (int i = 0; i < image.length; i++) {
          image[i] = Float.parseFloat(values[i]);
        }
        images.add(image);
      }
      return images;
    }
  }

  private static Tensor pixels(List<float[]> images, int[] batch) {
    float[] values = new float[batch.length * SIDE * SIDE];
    for (int i = 0; i < values.length; i++) {
      values[i] = images.get(batch[i / (SIDE * SIDE)])[i % (SIDE * SIDE)] / 16;
    }
    return Tensor.create(values, batch.length, 1, SIDE, SIDE);
  }

  private static Tensor digits(List<float[]> images, int[] batch) {
    long[] values =
        Arrays.stream(batch).mapToLong(i -> (long) images.get(i)[SIDE * SIDE]).toArray();
    return Tensor.create(values, batch.length);
  }

  /** Trains; returns the mean loss of all ranks at each step. */
  static double[] train(
      ProcessGroup group, Net net, List<float[]> images, int globalBatch, int steps) {
    int batch = globalBatch / group.size();
    DistributedSampler sampler =
        DistributedSampler.of(images.size(), group.size(), group.rank()).shuffled(42);
    SGD optimizer = new SGD(net.parameters(), new SGDOptions(0.3));
    double[] losses = new double[steps];
    try (TorchDataParallel parallel = TorchDataParallel.of(group, net, options -> {})) {
      int stepsOfEpoch = images.size() / globalBatch;
      for (int step = 0; step < steps; step++) {
        int first = step % stepsOfEpoch * batch;
        int[] own = Arrays.copyOfRange(sampler.indices(step / stepsOfEpoch), first, first + batch);
        optimizer.zero_grad();
        Tensor loss = cross_entropy(net.forward(pixels(images, own)), digits(images, own));
        loss.backward();
        parallel.finish(Duration.ofSeconds(60));
        optimizer.step();
        losses[step] = parallel.core().average(batch, loss.item_float())[0];
      }
    }
    return losses;
  }

  public static void main(String[] args) throws IOException {
    List<float[]> images = read(Path.of(args[0]));
    Net net = new Net(); // loads PyTorch, before a rank waits for others
    try (ProcessGroup group = ProcessGroup.init()) {
      double[] losses = train(group, net, images, 120, Integer.parseInt(args[1]));
      if (group.rank() == 0) {
        System.out.printf("loss %.3f, at last %.3f%n", losses[0], losses[losses.length - 1]);
      }
    }
  }
}
