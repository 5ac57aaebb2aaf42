package io.jgloo.examples.spark;

import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.examples.DigitImages;
import io.jgloo.examples.pytorch.Digits;
import io.jgloo.gradient.DistributedSampler;
import io.jgloo.spark.SparkGroups;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;

/**
 * A net of PyTorch, trained by the tasks of a barrier stage on the images of their partitions.
 *
 * <pre>spark-submit --class io.jgloo.examples.spark.TorchTrain ... FILE TASKS EPOCHS</pre>
 */
public final class TorchTrain {

  private TorchTrain() {}

  /** Trains on the file that {@code examples/digits} writes. */
  public static void main(String[] arguments) {
    try (SparkSession spark = SparkSession.builder().appName("digits").getOrCreate()) {
      JavaRDD<String> lines =
          spark
              .read()
              .textFile(arguments[0])
              .javaRDD()
              .repartition(Integer.parseInt(arguments[1])); // as many as can run at once
      for (double loss : train(lines, Integer.parseInt(arguments[2])).get(0)) {
        System.out.println("loss " + loss);
      }
    }
  }

  /** The losses of all epochs, which each task has: they are means of all tasks. */
  static List<double[]> train(JavaRDD<String> lines, int epochs) {
    return SparkGroups.mapPartitionsWithGroup(
            lines,
            (ProcessGroup group, Iterator<String> part) -> {
              List<String> images = new ArrayList<>();
              part.forEachRemaining(images::add);
              int[] least = {images.size()};
              group.allreduce(least, ReduceOp.MIN); // all tasks take as many steps
              DistributedSampler sampler = DistributedSampler.of(least[0], 1, 0).shuffled(42);
              Digits.Net net = new Digits.Net();
              return List.of(Digits.train(group, net, new DigitImages(images), sampler, epochs))
                  .iterator();
            })
        .collect();
  }
}
