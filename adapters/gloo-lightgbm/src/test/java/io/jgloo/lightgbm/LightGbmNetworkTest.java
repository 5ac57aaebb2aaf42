package io.jgloo.lightgbm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.ml.lightgbm.lightgbmlibJNI;
import io.jgloo.ProcessGroup;
import io.jgloo.Ranks;
import io.jgloo.transport.FreePort;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.memory.Memory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Models trained over groups beside those over LightGBM's own sockets; failures. */
@Timeout(300)
class LightGbmNetworkTest {

  private static final boolean FULL = Boolean.getBoolean("jgloo.test.full");
  private static final int ROWS = 400;
  private static final int ITERATIONS = 8;

  /**
   * One thread, as ranks are threads here. LightGBM times two orders of sums at the start unless it
   * is told which to take.
   */
  private static final String COMMON =
      "force_row_wise=true verbosity=-1 num_threads=1 num_leaves=15 min_data_in_leaf=5 seed=7"
          + " deterministic=true ";

  /** What connects a rank for the calls of its thread. */
  private interface Network {
    void during(ProcessGroup group, int rank, ThrowingRunnable body) throws Exception;
  }

  private interface ThrowingRunnable {
    void run() throws Exception;
  }

  @BeforeAll
  static void load() {
    LightGbmLibrary.load();
  }

  /** All of them in the long form; in the short one, one size for each learner and objective. */
  static Stream<Arguments> configurations() {
    List<String> objectives =
        List.of(
            "objective=binary",
            "objective=binary bagging_fraction=0.6 bagging_freq=1 feature_fraction=0.7",
            "objective=binary categorical_feature=0,1 min_data_per_group=5 cat_smooth=1",
            "objective=regression",
            "objective=multiclass num_class=3",
            "objective=lambdarank");
    List<Arguments> all = new ArrayList<>();
    List<String> learners = List.of("tree_learner=data ", "tree_learner=voting top_k=3 ");
    for (int i = 0; i < objectives.size() * learners.size(); i++) {
      String parameters = learners.get(i % 2) + objectives.get(i / 2);
      for (int size = 2; size <= 5; size++) {
        if (FULL || size == 2 + (i / 2 + i % 2 * 2) % 4) {
          all.add(Arguments.of(size, parameters));
        }
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void model_equalsThatOfSockets(int size, String parameters) throws Exception {
    List<String> ours = train(size, parameters, ITERATIONS, LightGbmNetworkTest::overGroup);
    List<String> theirs = train(size, parameters, ITERATIONS, overSockets(size));
    assertTrue(trees(ours.get(0)).contains("Tree=" + (ITERATIONS - 1)), ours.get(0));
    for (int rank = 0; rank < size; rank++) {
      assertEquals(trees(theirs.get(rank)), trees(ours.get(rank)), "model of rank " + rank);
    }
  }

  private static String trees(String model) {
    return model.substring(0, model.indexOf("\nparameters:"));
  }

  @SuppressWarnings("try") // LightGBM uses it
  private static void overGroup(ProcessGroup group, int rank, ThrowingRunnable body)
      throws Exception {
    try (LightGbmNetwork network = LightGbmNetwork.open(group)) {
      body.run();
    }
  }

  private static Network overSockets(int size) throws Exception {
    List<Integer> ports = new ArrayList<>();
    while (ports.size() < size) {
      int port = FreePort.choose();
      if (!ports.contains(port)) {
        ports.add(port);
      }
    }
    String machines =
        ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    return (group, rank, body) -> {
      Booster.check(
          "LGBM_NetworkInit",
          lightgbmlibJNI.LGBM_NetworkInit(machines, ports.get(rank), 120, size));
      try {
        body.run();
      } finally {
        lightgbmlibJNI.LGBM_NetworkFree();
      }
    };
  }

  private static List<String> train(int size, String parameters, int iterations, Network network) {
    String[] models = new String[size];
    try (Ranks ranks = Ranks.of(size, Duration.ofSeconds(120))) {
      ranks.each(
          (group, rank) ->
              network.during(
                  group,
                  rank,
                  () -> models[rank] = train(rank, size, parameters, iterations, () -> {})));
    }
    return List.of(models);
  }

  private static String train(
      int rank, int size, String parameters, int iterations, Runnable before) {
    String all = COMMON + parameters + " num_machines=" + size;
    Rows rows = new Rows(rank, ROWS + 10 * rank, classes(parameters));
    boolean ranking = parameters.contains("lambdarank");
    try (Dataset data = new Dataset(ranking ? rows.queries(rank) : rows.training(), all, null);
        Booster booster = Booster.of(data, all)) {
      for (int i = 0; i < iterations; i++) {
        before.run();
        booster.update();
      }
      return booster.save(iterations);
    }
  }

  @Test
  void modelOfARankThatIsAhead_isCutToThatOfTheOthers() {
    String all = COMMON + "tree_learner=data num_machines=2 objective=multiclass num_class=3";
    String[] before = new String[2];
    try (Ranks ranks = Ranks.of(2, Duration.ofSeconds(60))) {
      ranks.each(
          (group, rank) ->
              overGroup(
                  group,
                  rank,
                  () -> {
                    try (Dataset data = new Dataset(new Rows(rank, ROWS, 3).training(), all, null);
                        Booster booster = Booster.of(data, all)) {
                      for (int i = 0; i < 4; i++) {
                        booster.update();
                      }
                      before[rank] = booster.save(4);
                      booster.update();
                      assertEquals(before[rank], booster.save(4));
                      Booster.check(
                          "LGBM_BoosterRollbackOneIter",
                          lightgbmlibJNI.LGBM_BoosterRollbackOneIter(booster.handle()));
                      assertEquals(4, booster.iterations());
                      assertEquals(before[rank], booster.save(5), "as LightGBM rolls back");
                    }
                  }));
    }
    assertEquals(before[0], before[1]);
  }

  private static int classes(String parameters) {
    return parameters.contains("regression")
        ? 0
        : parameters.contains("multiclass") ? 3 : parameters.contains("lambdarank") ? 4 : 2;
  }

  @Test
  void featureParallel_isRefusedByLightGbm() {
    try (Ranks ranks = Ranks.of(2)) {
      for (Throwable failure :
          ranks.outcomes(
              (group, rank) ->
                  overGroup(
                      group,
                      rank,
                      () ->
                          train(rank, 2, "objective=binary tree_learner=feature", 1, () -> {})))) {
        assertInstanceOf(LightGbmException.class, failure);
        assertTrue(failure.getMessage().contains("feature parallel"), failure.getMessage());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void lostRank_failsTheCallWithRankAndReason_andTheNextTrainingWorks(int size) {
    Duration timeout = Duration.ofSeconds(60);
    try (Ranks ranks = Ranks.of(size, timeout)) {
      List<Throwable> failures =
          ranks.outcomes(
              (group, rank) -> {
                int[] iteration = {0};
                overGroup(
                    group,
                    rank,
                    () ->
                        train(
                            rank,
                            size,
                            "objective=binary tree_learner=data",
                            ITERATIONS,
                            () -> {
                              if (rank == 1 && ++iteration[0] == 4) {
                                group.close();
                              }
                            }));
              });
      for (int rank = 0; rank < size; rank++) {
        Throwable failure = assertInstanceOf(LightGbmException.class, failures.get(rank));
        String text = failure.getMessage();
        assertTrue(text.startsWith("LGBM_BoosterUpdateOneIter: rank " + rank), text);
        assertTrue(rank == 1 || text.contains("peer 1 "), text);
      }
    }
    String parameters = "objective=binary tree_learner=data";
    List<String> models = train(size, parameters, ITERATIONS, LightGbmNetworkTest::overGroup);
    assertEquals(trees(models.get(0)), trees(models.get(1)));
  }

  @Test
  void rankThatDoesNotTakePart_isNamedWithinTheTimeout() {
    CountDownLatch failed = new CountDownLatch(2);
    try (Ranks ranks = Ranks.of(3, Duration.ofSeconds(5))) {
      List<Throwable> failures =
          ranks.outcomes(
              (group, rank) -> {
                int[] iteration = {0};
                try (LightGbmNetwork network = LightGbmNetwork.open(group)) {
                  Runnable stop =
                      () -> {
                        if (rank == 2 && ++iteration[0] == 3) {
                          await(failed);
                        }
                      };
                  LightGbmException failure =
                      assertThrows(
                          LightGbmException.class,
                          () -> train(rank, 3, "objective=binary tree_learner=data", 5, stop));
                  failed.countDown();
                  JGlooException cause =
                      assertInstanceOf(JGlooException.class, network.failure().orElseThrow());
                  if (cause instanceof OperationTimeoutException) {
                    assertTrue(cause.getMessage().contains("rank 2"), cause.getMessage());
                  }
                  assertTrue(
                      failure.getMessage().contains(cause.getMessage()), failure.getMessage());
                }
              });
      assertEquals(List.of(), failures.stream().filter(each -> each != null).toList());
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void trainingsInARow_leaveNothing() throws Exception {
    int trainings = FULL ? 100 : 10;
    long memory = 0;
    long resident = 0;
    try (Ranks ranks = Ranks.of(2, Duration.ofSeconds(60))) {
      for (int i = 0; i < trainings; i++) {
        ranks.each(
            (group, rank) ->
                overGroup(
                    group,
                    rank,
                    () -> train(rank, 2, "objective=binary tree_learner=data", 5, () -> {})));
        if (i == trainings / 2) {
          memory = Memory.allocatedBytes();
          resident = residentBytes();
        }
      }
      assertTrue(Memory.allocatedBytes() <= memory + (64 << 10), "memory of JGloo");
      long grown = residentBytes() - resident;
      assertTrue(grown < 40L << 20, grown + " bytes more of resident memory");
    }
  }

  private static long residentBytes() throws Exception {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
        .findFirst()
        .orElseThrow();
  }

  @Test
  @SuppressWarnings("try") // closes the network in another thread
  void network_belongsToOneThread() {
    try (Ranks ranks = Ranks.of(1)) {
      ProcessGroup group = ranks.group(0);
      try (LightGbmNetwork network = LightGbmNetwork.open(group)) {
        assertSame(group, network.group());
        assertTrue(network.failure().isEmpty());
        IllegalStateException second =
            assertThrows(IllegalStateException.class, () -> LightGbmNetwork.open(group));
        assertTrue(second.getMessage().contains("has an open LightGbmNetwork"));
        Throwable foreign = ranks.outcomes((same, rank) -> network.close()).get(0);
        assertInstanceOf(IllegalStateException.class, foreign);
      }
      LightGbmNetwork.open(group).close();
    }
  }
}
