package io.jgloo.examples.djl;

import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Blocks;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.convolutional.Conv2d;
import ai.djl.nn.core.Linear;
import ai.djl.nn.pooling.Pool;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.ArrayDataset;
import ai.djl.training.listener.EvaluatorTrainingListener;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import ai.djl.translate.TranslateException;
import io.jgloo.ProcessGroup;
import io.jgloo.djl.DjlDataParallel;
import io.jgloo.examples.DigitImages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.IntStream;

/** Trains on images of digits: arguments are their file, and the number of epochs. */
public final class Digits {

  private static final int BATCH = 120; // of all ranks
  private static final int IMAGES = 12 * BATCH;

  private Digits() {}

  /** Convolution, pooling, and a layer with an output for each digit. */
  private static SequentialBlock net() {
    return new SequentialBlock()
        .add(Conv2d.builder().setKernelShape(new Shape(3, 3)).setFilters(8).build())
        .add(Activation::relu)
        .add(Pool.maxPool2dBlock(new Shape(2, 2), new Shape(2, 2)))
        .add(Blocks.batchFlattenBlock())
        .add(Linear.builder().setUnits(10).build());
  }

  private static ArrayDataset dataset(
      NDManager manager, DigitImages images, DjlDataParallel parallel, int batch) {
    int[] all = IntStream.range(0, IMAGES).toArray();
    Shape shape = new Shape(IMAGES, 1, DigitImages.SIDE, DigitImages.SIDE);
    return new ArrayDataset.Builder()
        .setData(manager.create(images.pixels(all), shape))
        .optLabels(manager.create(images.digits(all)))
        .setSampling(parallel.sampler(batch, 42))
        .build();
  }

  static void train(ProcessGroup group, Model model, DigitImages images, int epochs)
      throws IOException, TranslateException {
    DjlDataParallel parallel = new DjlDataParallel(group, options -> {});
    DefaultTrainingConfig config =
        new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
            .optOptimizer(Optimizer.sgd().setLearningRateTracker(Tracker.fixed(0.3f)).build())
            .addTrainingListeners(new EvaluatorTrainingListener(), parallel);
    try (Trainer trainer = model.newTrainer(config)) {
      trainer.initialize(new Shape(1, 1, DigitImages.SIDE, DigitImages.SIDE));
      parallel.start(trainer);
      ArrayDataset dataset = dataset(trainer.getManager(), images, parallel, BATCH / group.size());
      for (int epoch = 0; epoch < epochs; epoch++) {
        EasyTrain.fit(trainer, 1, dataset, null);
        if (group.rank() == 0) {
          System.out.println("loss " + trainer.getTrainingResult().getTrainLoss());
        }
      }
    }
  }

  public static void main(String[] args) throws IOException, TranslateException {
    Engine.getInstance().setRandomSeed(1); // loads PyTorch, before a rank waits for others
    try (ProcessGroup group = ProcessGroup.init();
        Model model = Model.newInstance("digits")) {
      model.setBlock(net());
      train(group, model, DigitImages.read(Path.of(args[0])), Integer.parseInt(args[1]));
    }
  }
}
