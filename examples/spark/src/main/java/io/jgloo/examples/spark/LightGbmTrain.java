package io.jgloo.examples.spark;

import io.jgloo.ProcessGroup;
import io.jgloo.lightgbm.DistributedTrainer;
import io.jgloo.lightgbm.IterationListener;
import io.jgloo.lightgbm.TrainingRows;
import io.jgloo.spark.SparkGroups;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * A model of LightGBM, trained by the tasks of a barrier stage on their partitions.
 *
 * <pre>spark-submit --class io.jgloo.examples.spark.LightGbmTrain ... FILE TASKS CHECKPOINT MODEL
 * </pre>
 *
 * <p>When a task or an executor is lost, Spark repeats the stage, and training goes on from the
 * checkpoint, a file that all executors see.
 */
public final class LightGbmTrain {
  private static final int ITERATIONS = 50;

  private LightGbmTrain() {}

  /** Trains on a file of numbers, separated by commas, the label first, one row a line. */
  public static void main(String[] arguments) throws IOException {
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("lightgbm"))) {
      JavaRDD<double[]> rows =
          spark
              .textFile(arguments[0])
              .map(line -> Arrays.stream(line.split(",")).mapToDouble(Double::valueOf).toArray())
              .repartition(Integer.parseInt(arguments[1])); // as many as can run at once
      IterationListener none = (IterationListener & Serializable) (iteration, metrics) -> {};
      List<String> models = train(rows, ITERATIONS, arguments[2], none);
      Files.writeString(Path.of(arguments[3]), models.get(0));
    }
  }

  /** The model of each task, which are equal; a DataFrame gives its rows by {@code javaRDD()}. */
  static List<String> train(
      JavaRDD<double[]> rows, int iterations, String checkpoint, IterationListener listener) {
    return SparkGroups.mapPartitionsWithGroup(
            rows,
            (ProcessGroup group, Iterator<double[]> part) ->
                List.of(
                        new DistributedTrainer(group)
                            .parameter("objective", "binary")
                            .parameter("num_threads", 1)
                            .iterations(iterations)
                            .checkpoint(Path.of(checkpoint), 5)
                            .onIteration(listener)
                            .train(rows(part))
                            .text())
                    .iterator())
        .collect();
  }

  private static TrainingRows rows(Iterator<double[]> part) {
    List<double[]> all = new ArrayList<>();
    part.forEachRemaining(all::add);
    int columns = all.get(0).length - 1;
    double[] values = new double[all.size() * columns];
    float[] labels = new float[all.size()];
    for (int row = 0; row < labels.length; row++) {
      labels[row] = (float) all.get(row)[0];
      System.arraycopy(all.get(row), 1, values, row * columns, columns);
    }
    return TrainingRows.dense(values, columns).labels(labels);
  }
}
