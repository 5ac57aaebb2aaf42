package io.jgloo.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.netty.util.Version;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tasks in executors that are JVMs of their own, under Spark's standalone master and workers. */
@Timeout(300)
class SparkGroupsTest {

  private static final int EXECUTORS = 3;

  /** What one task returns. */
  private record Row(int rank, int size, long epoch, long pid, float sum) implements Serializable {}

  private static JavaSparkContext spark;

  @TempDir Path directory;

  @BeforeAll
  static void startSpark() throws IOException {
    // An installed Spark has its jars here; these executors have the class path of the test.
    Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "jars"));
    spark =
        new JavaSparkContext(
            new SparkConf()
                .setMaster("local-cluster[" + EXECUTORS + ",1,1024]")
                .setAppName("SparkGroupsTest")
                .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
                .set("spark.executor.memory", "512m")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.scheduler.barrier.maxConcurrentTasksCheck.interval", "1s")
                .set("spark.scheduler.barrier.maxConcurrentTasksCheck.maxFailures", "200")
                .set("spark.ui.enabled", "false"));
  }

  @AfterAll
  static void stopSpark() {
    spark.close();
  }

  private static JavaRDD<Integer> numbers() {
    return spark.parallelize(IntStream.range(0, EXECUTORS).boxed().toList(), EXECUTORS);
  }

  private static Iterator<Row> sum(ProcessGroup group, Iterator<Integer> numbers) {
    float[] sum = {0};
    numbers.forEachRemaining(number -> sum[0] += number);
    group.allreduce(sum, ReduceOp.SUM);
    long pid = ProcessHandle.current().pid();
    return List.of(new Row(group.rank(), group.size(), group.epoch(), pid, sum[0])).iterator();
  }

  private static void checkSums(List<Row> rows) {
    Set<Integer> ranks = new TreeSet<>();
    Set<Long> processes = new HashSet<>();
    for (Row row : rows) {
      ranks.add(row.rank());
      processes.add(row.pid());
      assertEquals(EXECUTORS, row.size());
      assertEquals(EXECUTORS * (EXECUTORS - 1) / 2f, row.sum());
      assertEquals(rows.get(0).epoch(), row.epoch(), () -> "different epochs in " + rows);
    }
    assertEquals(Set.of(0, 1, 2), ranks);
    assertEquals(EXECUTORS, processes.size(), () -> "tasks share an executor: " + rows);
    assertFalse(processes.contains(ProcessHandle.current().pid()), "a task ran in the driver");
  }

  @Test
  void tasksOfExecutors_formOneGroup() {
    List<Row> rows = SparkGroups.mapPartitionsWithGroup(numbers(), SparkGroupsTest::sum).collect();
    checkSums(rows);
    assertEquals(0, rows.get(0).epoch());
  }

  /** An installed Spark has Netty 4.1 before all jars of a job; JGloo needs 4.2. */
  @Test
  void executors_haveNettyOfSparkAndEpollOfJGloo() {
    List<String> found =
        SparkGroups.mapPartitionsWithGroup(
                numbers(),
                (ProcessGroup group, Iterator<Integer> part) -> List.of(netty()).iterator())
            .collect();
    assertEquals(EXECUTORS, found.size());
    assertTrue(found.stream().allMatch(version -> version.startsWith("4.1.")), found::toString);
  }

  /** The version of Spark's Netty; fails if the device has no sockets of epoll. */
  private static String netty() {
    if (System.getProperty("os.name").equals("Linux")) {
      Devices.open("tcp", DeviceOptions.DEFAULTS.with("sockets", "epoll")).close();
    }
    return Version.identify().get("netty-common").artifactVersion();
  }

  @Test
  void functionThatThrows_stageIsRepeatedAtTheNextEpoch() {
    List<Row> rows =
        SparkGroups.mapPartitionsWithGroup(
                numbers(),
                (ProcessGroup group, Iterator<Integer> part) -> {
                  Iterator<Row> result = sum(group, part);
                  if (group.rank() == 1 && group.epoch() == 0) {
                    throw new IOException("this task fails at first");
                  }
                  return result;
                })
            .collect();
    checkSums(rows);
    assertTrue(rows.get(0).epoch() >= 1, rows::toString);
  }

  @Test
  void killedExecutor_stageIsRepeatedByAnotherAtTheNextEpoch() throws IOException {
    String killed = directory.resolve("killed").toString();
    List<Row> rows =
        SparkGroups.mapPartitionsWithGroup(
                numbers(),
                (ProcessGroup group, Iterator<Integer> part) -> {
                  Iterator<Row> result = sum(group, part);
                  if (group.rank() == 1 && group.epoch() == 0) {
                    killThisProcess(Path.of(killed));
                  }
                  group.barrier(); // which the others wait in when the executor dies
                  return result;
                })
            .collect();
    checkSums(rows);
    assertTrue(rows.get(0).epoch() >= 1, rows::toString);
    long pid = Long.parseLong(Files.readString(Path.of(killed)));
    assertTrue(rows.stream().noneMatch(row -> row.pid() == pid), rows + " has " + pid);
  }

  private static void killThisProcess(Path note) {
    String pid = "" + ProcessHandle.current().pid();
    try {
      Files.writeString(note, pid);
      new ProcessBuilder("kill", "-KILL", pid).start().waitFor();
      Thread.sleep(60_000); // it has no time for that
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
