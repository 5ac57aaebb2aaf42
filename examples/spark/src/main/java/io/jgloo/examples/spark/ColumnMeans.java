package io.jgloo.examples.spark;

import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.spark.SparkGroups;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Means of the columns of a table, computed by the tasks of a barrier stage without the driver:
 * every task has all of them at the end.
 *
 * <pre>spark-submit --class io.jgloo.examples.spark.ColumnMeans ... FILE TASKS</pre>
 */
public final class ColumnMeans {
  private ColumnMeans() {}

  /** Prints the means of a file of numbers, separated by commas, one row a line. */
  public static void main(String[] arguments) {
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("means"))) {
      JavaRDD<double[]> rows =
          spark
              .textFile(arguments[0])
              .map(line -> Arrays.stream(line.split(",")).mapToDouble(Double::valueOf).toArray())
              .repartition(Integer.parseInt(arguments[1])); // as many as can run at once
      System.out.println(Arrays.toString(of(rows, rows.first().length).get(0)));
    }
  }

  /** The result of each task. */
  static List<double[]> of(JavaRDD<double[]> rows, int columns) {
    return SparkGroups.mapPartitionsWithGroup(
            rows,
            (ProcessGroup group, Iterator<double[]> part) ->
                List.of(means(group, part, columns)).iterator())
        .collect();
  }

  private static double[] means(ProcessGroup group, Iterator<double[]> part, int columns) {
    double[] sums = new double[columns + 1];
    while (part.hasNext()) {
      double[] row = part.next();
      for (int i = 0; i < columns; i++) {
        sums[i] += row[i];
      }
      sums[columns]++;
    }
    group.allreduce(sums, ReduceOp.SUM);
    return Arrays.stream(sums).limit(columns).map(sum -> sum / sums[columns]).toArray();
  }
}
