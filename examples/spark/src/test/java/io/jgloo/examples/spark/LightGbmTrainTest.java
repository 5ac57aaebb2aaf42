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
import java.util.stream.Stream;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Executors that are JVMs of their own train one model with TLS and a secret, also when one of them
 * is killed.
 */
@Timeout(300)
class LightGbmTrainTest {
  private static final int EXECUTORS = 3;
  private static final int ITERATIONS = 20;

  private static SparkSession spark;

  @TempDir private static Path secrets;
  @TempDir private Path folder;

  @BeforeAll
  static void start() throws Exception {
    String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    assumeTrue(system.equals("Linux amd64"), "gloo-lightgbm runs on Linux x86_64 only");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/openssl")), "no openssl makes certificates");
    Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "jars"));
    openssl(
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key"
            + " -subj /CN=spark -days 2 -out ca.pem");
    openssl(
        "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -subj /CN=executor"
            + " -out request.pem");
    Files.writeString(secrets.resolve("names"), "subjectAltName=URI:jgloo://spark-test\n");
    openssl(
        "x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names"
            + " -out certificate.pem");
    spark =
        SparkSession.builder()
            .config(
                new SparkConf()
                    .setMaster("local-cluster[" + EXECUTORS + ",1,1024]")
                    .setAppName("LightGbmTrainTest")
                    .setExecutorEnv("GLOO_SECRET", "a secret of the job, 32 characters")
                    .setExecutorEnv("GLOO_TLS_CERTIFICATE", secrets + "/certificate.pem")
                    .setExecutorEnv("GLOO_TLS_KEY", secrets + "/key.pem")
                    .setExecutorEnv("GLOO_TLS_CA", secrets + "/ca.pem")
                    .setExecutorEnv("GLOO_TLS_RANK", "any")
                    .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
                    .set("spark.executor.memory", "512m")
                    .set("spark.driver.host", "127.0.0.1")
                    .set("spark.driver.bindAddress", "127.0.0.1")
                    .set("spark.scheduler.barrier.maxConcurrentTasksCheck.interval", "1s")
                    .set("spark.scheduler.barrier.maxConcurrentTasksCheck.maxFailures", "200")
                    .set("spark.ui.enabled", "false"))
            .getOrCreate();
  }

  private static void openssl(String arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("openssl"));
    command.addAll(List.of(arguments.split(" ")));
    Process process = new ProcessBuilder(command).directory(secrets.toFile()).inheritIO().start();
    assertEquals(0, process.waitFor(), arguments);
  }

  @AfterAll
  static void stop() {
    if (spark != null) {
      spark.close();
    }
  }

  private static Dataset<Row> rows() {
    Random random = new Random(5);
    List<Row> rows = new ArrayList<>();
    for (int row = 0; row < 900; row++) {
      double first = random.nextGaussian();
      double second = random.nextGaussian();
      rows.add(RowFactory.create(first, first * second > 0 ? 1 : 0, row % 50 > 0 ? second : null));
    }
    StructType columns =
        new StructType().add("first", "double").add("label", "int").add("second", "double");
    return spark.createDataFrame(rows, columns).repartition(EXECUTORS);
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
  void executors_trainOneModel() throws IOException {
    check(train((IterationListener & Serializable) (iteration, metrics) -> {}));
    String application = spark.sparkContext().applicationId();
    try (Stream<Path> files =
        Files.walk(Path.of(System.getenv("SPARK_HOME"), "work", application))) {
      List<Path> logs = files.filter(file -> file.endsWith("stderr")).toList();
      assertTrue(logs.size() >= EXECUTORS, logs::toString);
      for (Path log : logs) {
        String text = Files.readString(log);
        assertTrue(text.contains("TLS for jgloo://spark-test by "), text);
      }
    }
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
