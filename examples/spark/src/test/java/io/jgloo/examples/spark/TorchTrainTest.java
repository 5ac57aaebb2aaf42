package io.jgloo.examples.spark;

import static org.bytedeco.pytorch.global.torch.manual_seed;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Executors that are JVMs of their own train a net of PyTorch. */
@Timeout(300)
class TorchTrainTest {

  private static final int EXECUTORS = 2;

  @Test
  void executors_trainOneNet() throws Exception {
    Path file = Path.of("../../target/digits.csv.gz").toAbsolutePath().normalize();
    assumeTrue(Files.exists(file), "no digits: run examples/digits target/digits.csv.gz");
    Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "jars"));
    manual_seed(1); // PyTorch is unpacked now, which executors must not do at the same time
    SparkConf configuration =
        new SparkConf()
            .setMaster("local-cluster[" + EXECUTORS + ",1,1024]")
            .setAppName("TorchTrainTest")
            .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
            .set("spark.executor.memory", "512m")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.scheduler.barrier.maxConcurrentTasksCheck.interval", "1s")
            .set("spark.scheduler.barrier.maxConcurrentTasksCheck.maxFailures", "200")
            .set("spark.ui.enabled", "false");
    try (JavaSparkContext spark = new JavaSparkContext(configuration)) {
      List<double[]> losses =
          TorchTrain.train(spark.textFile(file.toString()).repartition(EXECUTORS), 5);
      assertEquals(EXECUTORS, losses.size());
      assertArrayEquals(losses.get(0), losses.get(1));
      assertTrue(losses.get(0)[4] < losses.get(0)[0] / 2, Arrays.toString(losses.get(0)));
    }
  }
}
