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
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A model of LightGBM of a DataFrame, trained by the tasks of a barrier stage on their partitions.
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

  /** Trains on a CSV file with a header, whose columns are numbers, one of them {@code label}. */
  public static void main(String[] arguments) throws IOException {
    try (SparkSession spark = SparkSession.builder().appName("lightgbm").getOrCreate()) {
      Dataset<Row> frame =
          spark
              .read()
              .option("header", true)
              .option("inferSchema", true)
              .csv(arguments[0])
              .repartition(Integer.parseInt(arguments[1])); // as many as can run at once
      IterationListener none = (IterationListener & Serializable) (iteration, metrics) -> {};
      List<String> models = train(frame, ITERATIONS, arguments[2], none);
      Files.writeString(Path.of(arguments[3]), models.get(0));
    }
  }

  /** The model of each task, which are equal. */
  static List<String> train(
      Dataset<Row> frame, int iterations, String checkpoint, IterationListener listener) {
    return SparkGroups.mapPartitionsWithGroup(
            frame.javaRDD(),
            (ProcessGroup group, Iterator<Row> part) ->
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

  /** All columns but {@code label} are features; null is a missing value. */
  private static TrainingRows rows(Iterator<Row> part) {
    List<Row> all = new ArrayList<>();
    part.forEachRemaining(all::add);
    int columns = all.get(0).size() - 1;
    int label = all.get(0).fieldIndex("label");
    double[] values = new double[all.size() * columns];
    float[] labels = new float[all.size()];
    int next = 0;
    for (int row = 0; row < labels.length; row++) {
      for (int column = 0; column <= columns; column++) {
        Number value = (Number) all.get(row).get(column);
        if (column == label) {
          labels[row] = value.floatValue();
        } else {
          values[next++] = value == null ? Double.NaN : value.doubleValue();
        }
      }
    }
    return TrainingRows.dense(values, columns).labels(labels);
  }
}
