package io.jgloo.examples.pytorch;

import static org.bytedeco.pytorch.global.torch.cross_entropy;
import static org.bytedeco.pytorch.global.torch.manual_seed;
import static org.bytedeco.pytorch.global.torch.max_pool2d;
import static org.bytedeco.pytorch.global.torch.relu;

import io.jgloo.ProcessGroup;
import io.jgloo.examples.DigitImages;
import io.jgloo.gradient.DistributedSampler;
import io.jgloo.pytorch.TorchDataParallel;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.pytorch.Conv2dImpl;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.SGD;
import org.bytedeco.pytorch.SGDOptions;
import org.bytedeco.pytorch.Tensor;

/** Trains on images of digits: arguments are their file, and the number of epochs. */
public final class Digits {

  private static final int BATCH = 120; // of all ranks
  private static final int IMAGES = 12 * BATCH;

  private Digits() {}

  /** Convolution, pooling, and a layer with an output for each digit. */
  public static final class Net extends Module {
    private final Conv2dImpl convolution =
        register_module("convolution", new Conv2dImpl(1, 8, new LongPointer(3, 3)));
    private final LinearImpl linear = register_module("linear", new LinearImpl(8 * 3 * 3, 10));

    Tensor forward(Tensor x) {
      return linear.forward(max_pool2d(relu(convolution.forward(x)), 2, 2).flatten(1, -1));
    }
  }

  private static Tensor pixels(DigitImages images, int[] batch) {
    return Tensor.create(images.pixels(batch), batch.length, 1, DigitImages.SIDE, DigitImages.SIDE);
  }

  private static Tensor digits(DigitImages images, int[] batch) {
    return Tensor.create(
        Arrays.stream(images.digits(batch)).asLongStream().toArray(), batch.length);
  }

  /** Trains with the images of this rank; the mean loss of all ranks in each epoch. */
  public static double[] train(
      ProcessGroup group, Net net, DigitImages images, DistributedSampler sampler, int epochs) {
    int batch = BATCH / group.size();
    SGD optimizer = new SGD(net.parameters(), new SGDOptions(0.3));
    double[] losses = new double[epochs];
    try (TorchDataParallel parallel = TorchDataParallel.of(group, net, options -> {})) {
      for (int epoch = 0; epoch < epochs; epoch++) {
        int[] own = sampler.indices(epoch);
        double loss = 0;
        for (int first = 0; first < own.length; first += batch) {
          int[] next = Arrays.copyOfRange(own, first, Math.min(first + batch, own.length));
          optimizer.zero_grad();
          Tensor error = cross_entropy(net.forward(pixels(images, next)), digits(images, next));
          error.backward();
          parallel.finish(Duration.ofSeconds(60));
          optimizer.step();
          loss += error.item_float() * (double) next.length / own.length;
        }
        losses[epoch] = parallel.core().average(own.length, loss)[0];
      }
    }
    return losses;
  }

  public static void main(String[] args) throws IOException {
    manual_seed(1); // loads PyTorch, before a rank waits for others
    try (ProcessGroup group = ProcessGroup.init()) {
      DigitImages images = DigitImages.read(Path.of(args[0]));
      DistributedSampler sampler =
          DistributedSampler.of(IMAGES, group.size(), group.rank()).shuffled(42);
      double[] losses = train(group, new Net(), images, sampler, Integer.parseInt(args[1]));
      if (group.rank() == 0) {
        Arrays.stream(losses).forEach(loss -> System.out.println("loss " + loss));
      }
    }
  }
}
