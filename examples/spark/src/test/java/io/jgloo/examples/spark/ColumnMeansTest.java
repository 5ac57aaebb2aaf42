package io.jgloo.examples.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks of a barrier stage in Spark's local mode meet, and meet again when Spark tries again. */
@Timeout(300)
class ColumnMeansTest {
  private static final int TASKS = 4;
  private static final int ROWS = 1001;
  private static final AtomicInteger FAILURES = new AtomicInteger(); // local tasks share this JVM

  private static JavaSparkContext spark;

  @BeforeAll
  static void start() {
    spark =
        new JavaSparkContext(
            new SparkConf()
                .setMaster("local[" + TASKS + ",2]") // each task may fail once
                .setAppName("ColumnMeansTest")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.ui.enabled", "false"));
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  private static JavaRDD<double[]> rows() {
    List<double[]> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(new double[] {i, 2 * i + 1, -7});
    }
    return spark.parallelize(rows, TASKS);
  }

  private static void check(List<double[]> means) {
    assertEquals(TASKS, means.size());
    for (double[] each : means) {
      assertArrayEquals(new double[] {500, 1001, -7}, each);
    }
  }

  @Test
  void everyTaskHasTheMeansOfAll() {
    check(ColumnMeans.of(rows(), 3));
  }

  @Test
  void aTaskThatFailsBeforeItComesIsTriedAgainWithAllOthers() {
    FAILURES.set(0);
    JavaRDD<double[]> failing =
        rows()
            .map(
                row -> {
                  BarrierTaskContext task = BarrierTaskContext.get();
                  if (task.partitionId() == 2 && task.stageAttemptNumber() == 0) {
                    FAILURES.incrementAndGet();
                    throw new IllegalStateException("this task fails at first");
                  }
                  return row;
                });
    check(ColumnMeans.of(failing, 3));
    assertEquals(1, FAILURES.get());
  }
}
