package io.jgloo.examples.spark;

import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Function1;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;

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
    // Scala's function, because RDDBarrier has no Java form.
    Function1<Iterator<double[]>, Iterator<double[]>> task =
        (Function1<Iterator<double[]>, Iterator<double[]>> & Serializable)
            part -> CollectionConverters.asScala(List.of(means(part, columns)).iterator());
    ClassTag<double[]> type = ClassTag.apply(double[].class);
    JavaRDD<double[]> means = rows.rdd().barrier().mapPartitions(task, false, type).toJavaRDD();
    // A shuffle follows, because Spark repeats a stage only if it is not the last of its job.
    return means.coalesce(1, true).collect();
  }

  private static double[] means(Iterator<double[]> part, int columns) {
    double[] sums = new double[columns + 1];
    while (part.hasNext()) {
      double[] row = part.next();
      for (int i = 0; i < columns; i++) {
        sums[i] += row[i];
      }
      sums[columns]++;
    }
    try (ProcessGroup group = BarrierStage.join(BarrierTaskContext.get())) {
      group.allreduce(sums, ReduceOp.SUM);
      group.barrier(); // no task leaves before all have their sums
    }
    return Arrays.stream(sums).limit(columns).map(sum -> sum / sums[columns]).toArray();
  }
}
