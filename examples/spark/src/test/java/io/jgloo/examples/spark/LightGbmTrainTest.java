package io.jgloo.examples.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.lightgbm.IterationListener;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Executors that are JVMs of their own train one model, also when one of them is killed. */
@Timeout(300)
class LightGbmTrainTest {
  private static final int EXECUTORS = 3;
  private static final int ITERATIONS = 20;

  private static JavaSparkContext spark;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws IOException {
    String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    assumeTrue(system.equals("Linux amd64"), "gloo-lightgbm runs on Linux x86_64 only");
    Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "jars"));
    spark =
        new JavaSparkContext(
            new SparkConf()
                .setMaster("local-cluster[" + EXECUTORS + ",1,1024]")
                .setAppName("LightGbmTrainTest")
                .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
                .set("spark.executor.memory", "512m")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.scheduler.barrier.maxConcurrentTasksCheck.interval", "1s")
                .set("spark.scheduler.barrier.maxConcurrentTasksCheck.maxFailures", "200")
                .set("spark.ui.enabled", "false"));
  }

  @AfterAll
  static void stop() {
    if (spark != null) {
      spark.close();
    }
  }

  private static JavaRDD<double[]> rows() {
    Random random = new Random(5);
    List<double[]> rows = new ArrayList<>();
    for (int row = 0; row < 900; row++) {
      double first = random.nextGaussian();
      double second = random.nextGaussian();
      rows.add(new double[] {first * second > 0 ? 1 : 0, first, second});
    }
    return spark.parallelize(rows, EXECUTORS);
  }

  private static void check(List<String> models) {
    assertEquals(EXECUTORS, models.size());
    for (String model : models) {
      assertEquals(models.get(0), model);
    }
    assertTrue(models.get(0).contains("Tree=" + (ITERATIONS - 1) + "\n"), models.get(0));
    assertTrue(models.get(0).contains("[num_machines: 3]"), models.get(0));
  }

  private List<String> train(IterationListener listener) {
    String checkpoint = folder.resolve("checkpoint").toString();
    return LightGbmTrain.train(rows(), ITERATIONS, checkpoint, listener);
  }

  @Test
  void executors_trainOneModel() {
    check(train((IterationListener & Serializable) (iteration, metrics) -> {}));
  }

  @Test
  void killedExecutor_trainingGoesOnFromTheCheckpoint() throws IOException {
    String begun = folder.resolve("begun").toString();
    check(
        train(
            (IterationListener & Serializable)
                (iteration, metrics) -> {
                  BarrierTaskContext task = BarrierTaskContext.get();
                  if (task.stageAttemptNumber() == 0 && task.partitionId() == 1 && iteration == 8) {
                    Runtime.getRuntime().halt(137);
                  }
                  if (task.stageAttemptNumber() > 0 && task.partitionId() == 1) {
                    note(Path.of(begun), iteration);
                  }
                }));
    assertEquals("6", Files.readAllLines(Path.of(begun)).get(0), "the first iteration again");
  }

  private static void note(Path file, int iteration) {
    try {
      Files.writeString(
          file, iteration + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
