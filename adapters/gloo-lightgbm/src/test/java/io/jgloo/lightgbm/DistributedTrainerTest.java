package io.jgloo.lightgbm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.ProcessGroup;
import io.jgloo.Ranks;
import io.jgloo.transport.JGlooException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trainings by ranks that are threads. */
@Timeout(300)
class DistributedTrainerTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** Debian's python3-sklearn: 569 rows of 30 features; the last column is 0 or 1. */
  private static final Path BREAST_CANCER =
      Path.of(
          System.getProperty(
              "jgloo.test.breast-cancer",
              "/usr/lib/python3/dist-packages/sklearn/datasets/data/breast_cancer.csv"));

  @TempDir private Path folder;

  /** Settings that are quick and repeatable. */
  private static DistributedTrainer trainer(ProcessGroup group) {
    return new DistributedTrainer(group)
        .parameter("verbosity", -1)
        .parameter("num_threads", 1)
        .parameter("num_leaves", 15)
        .parameter("objective", "binary")
        .parameter("metric", "auc");
  }

  private static double auc(String model) {
    Rows test = new Rows(1000, 1000, 2);
    try (Booster booster = Booster.load(model);
        Dataset rows = new Dataset(test.training(), "verbosity=-1", null)) {
      return test.auc(rows.predictRaw(booster));
    }
  }

  @Test
  void ranksHaveOneModel_averagedMetrics_andStopEarlyTogether() {
    List<TrainedModel> models = Collections.synchronizedList(new ArrayList<>());
    Set<Map<String, Double>> metrics = Collections.synchronizedSet(new HashSet<>());
    int iterations = 200;
    try (Ranks ranks = Ranks.of(3, TIMEOUT)) {
      ranks.each(
          (group, rank) ->
              models.add(
                  trainer(group)
                      .parameter("learning_rate", 0.5)
                      .iterations(iterations)
                      .validation(new Rows(10 + rank, 100 + 50 * rank, 2).training())
                      .earlyStopping(3)
                      .onIteration((iteration, values) -> metrics.add(values))
                      .train(new Rows(rank, 300, 2).training())));
    }
    TrainedModel model = models.get(0);
    assertEquals(model.text(), models.get(1).text());
    assertEquals(model.text(), models.get(2).text());
    assertTrue(model.iterations() < iterations, "stops early");
    assertTrue(model.text().contains("Tree=" + (model.iterations() - 1) + "\n"));
    assertTrue(!model.text().contains("Tree=" + model.iterations() + "\n"), "trees to the best");
    double best = metrics.stream().mapToDouble(each -> each.get("auc")).max().orElseThrow();
    assertEquals(best, model.metrics().get("auc"));
    assertEquals(metrics.size(), metrics.stream().map(each -> each.get("auc")).distinct().count());
    double auc = auc(model.text());
    assertTrue(auc > 0.85 && Math.abs(auc - best) < 0.1, auc + ", validated " + best);
  }

  @Test
  void denseRows_sparseRowsAndFiles_makeTheSameTrees() {
    List<List<String>> texts = new ArrayList<>();
    for (String form : List.of("dense", "float", "csr", "file")) {
      String[] models = new String[2];
      try (Ranks ranks = Ranks.of(2, TIMEOUT)) {
        ranks.each(
            (group, rank) ->
                models[rank] =
                    trainer(group).iterations(5).train(rows(form, new Rows(rank, 300, 2))).text());
      }
      assertEquals(models[0], models[1], form);
      texts.add(models[0].lines().filter(line -> line.startsWith("split_feature=")).toList());
    }
    assertEquals(5, texts.get(0).size());
    for (List<String> each : texts) {
      assertEquals(texts.get(0), each);
    }
  }

  private TrainingRows rows(String form, Rows rows) throws IOException {
    float[] single = new float[rows.values.length];
    int[] starts = new int[rows.labels.length + 1];
    int[] indices = new int[rows.values.length];
    StringBuilder lines = new StringBuilder();
    for (int row = 0; row < rows.labels.length; row++) {
      starts[row + 1] = (row + 1) * Rows.COLUMNS;
      lines.append(rows.labels[row]);
      for (int column = 0; column < Rows.COLUMNS; column++) {
        int at = row * Rows.COLUMNS + column;
        rows.values[at] = single[at] = (float) rows.values[at];
        indices[at] = column;
        lines.append(String.format(Locale.ROOT, ",%.17g", rows.values[at]));
      }
      lines.append('\n');
    }
    return switch (form) {
      case "dense" -> rows.training();
      case "float" -> TrainingRows.dense(single, Rows.COLUMNS).labels(rows.labels);
      case "csr" ->
          TrainingRows.csr(starts, indices, rows.values, Rows.COLUMNS).labels(rows.labels);
      default ->
          TrainingRows.file(
              Files.writeString(Files.createTempFile(folder, "rows", ".csv"), lines.toString()));
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"dense", "csr", "file"})
  void checkpoint_isGoneOnFrom(String form) throws IOException {
    Path checkpoint = folder.resolve("model.txt");
    Rows[] rows = {new Rows(0, 300, 3), new Rows(1, 300, 3)};
    for (int iterations : new int[] {6, 9}) {
      String[] models = new String[2];
      List<Integer> completed = Collections.synchronizedList(new ArrayList<>());
      try (Ranks ranks = Ranks.of(2, TIMEOUT)) {
        ranks.each(
            (group, rank) ->
                models[rank] =
                    trainer(group)
                        .parameter("objective", "multiclass")
                        .parameter("num_class", 3)
                        .parameter("metric", "multi_logloss")
                        .iterations(iterations)
                        .checkpoint(checkpoint, 4)
                        .onIteration((iteration, metrics) -> completed.add(iteration))
                        .train(rows(form, rows[rank]))
                        .text());
      }
      assertEquals(models[0], models[1]);
      assertTrue(models[0].contains("Tree=" + (3 * iterations - 1) + "\n"));
      assertTrue(Files.readString(checkpoint).contains("Tree=11\n"));
      int first = iterations == 6 ? 1 : 5;
      assertEquals(2L * (iterations - first + 1), completed.size(), "from the checkpoint on");
      if (iterations == 6) {
        assertTrue(!Files.readString(checkpoint).contains("Tree=12\n"));
      }
    }
  }

  @Test
  void breastCancer_isLearned() throws IOException {
    assumeTrue(Files.exists(BREAST_CANCER), BREAST_CANCER + " is missing (python3-sklearn)");
    List<String> lines = Files.readAllLines(BREAST_CANCER);
    assertEquals(570, lines.size());
    double[][] values = new double[4][]; // three ranks, and rows for the test
    float[][] labels = new float[4][];
    for (int part = 0; part < 4; part++) {
      List<double[]> rows = new ArrayList<>();
      for (int line = part + 1; line < lines.size(); line += 4) { // behind the line with the names
        rows.add(
            Arrays.stream(lines.get(line).split(",")).mapToDouble(Double::parseDouble).toArray());
      }
      values[part] = rows.stream().flatMapToDouble(row -> Arrays.stream(row).limit(30)).toArray();
      labels[part] = new float[rows.size()];
      for (int row = 0; row < rows.size(); row++) {
        labels[part][row] = (float) rows.get(row)[30];
      }
    }
    String[] models = new String[3];
    try (Ranks ranks = Ranks.of(3, TIMEOUT)) {
      ranks.each(
          (group, rank) ->
              models[rank] =
                  trainer(group)
                      .iterations(40)
                      .train(TrainingRows.dense(values[rank], 30).labels(labels[rank]))
                      .text());
    }
    try (Booster booster = Booster.load(models[0]);
        Dataset rows = new Dataset(TrainingRows.dense(values[3], 30), "verbosity=-1", null)) {
      double auc = Rows.auc(rows.predictRaw(booster), labels[3]);
      System.out.println("breast cancer: AUC " + auc);
      assertTrue(auc > 0.97, "AUC " + auc);
    }
  }

  @Test
  void survivors_finishAllIterations() {
    TrainedModel[] models = new TrainedModel[3];
    String store = folder.resolve("store").toUri().toString();
    Ranks.Body body =
        (none, rank) -> {
          try (ProcessGroup group =
              ProcessGroup.builder().rank(rank).size(3).store(store).timeout(TIMEOUT).connect()) {
            IterationListener leave =
                (iteration, metrics) -> {
                  if (rank == 1 && iteration == 7) {
                    throw new IllegalStateException("leaves");
                  }
                };
            models[rank] =
                trainer(group)
                    .iterations(20)
                    .validation(new Rows(10 + rank, 100, 2).training())
                    .onIteration(leave)
                    .train(new Rows(rank, 300, 2).training());
            models[rank].group().close();
          }
        };
    try (Ranks threads = Ranks.of(3)) {
      List<Throwable> failures = threads.outcomes(body);
      assertInstanceOf(IllegalStateException.class, failures.get(1));
      assertEquals(null, failures.get(0));
      assertEquals(null, failures.get(2));
    }
    assertEquals(models[0].text(), models[2].text());
    assertEquals(20, models[0].iterations());
    assertTrue(models[0].text().contains("Tree=19\n"));
    assertEquals(2, models[0].group().size());
    assertTrue(auc(models[0].text()) > 0.78);
  }

  @Test
  void groupWithoutAStore_failsWithTheLoss() {
    try (Ranks ranks = Ranks.of(2, TIMEOUT)) {
      List<Throwable> failures =
          ranks.outcomes(
              (group, rank) ->
                  trainer(group)
                      .onIteration(
                          (iteration, metrics) -> {
                            if (rank == 1) {
                              group.close();
                            }
                          })
                      .train(new Rows(rank, 300, 2).training()));
      JGlooException failure = assertInstanceOf(JGlooException.class, failures.get(0));
      assertTrue(failure.getMessage().contains("peer 1 "), failure.getMessage());
      assertInstanceOf(UnsupportedOperationException.class, failure.getSuppressed()[0]);
    }
  }

  @Test
  void errorOfOneRank_isToldTheOthers() {
    try (Ranks ranks = Ranks.of(2, TIMEOUT)) {
      List<Throwable> failures =
          ranks.outcomes(
              (group, rank) ->
                  trainer(group)
                      .parameter("objective", rank == 1 ? "unknown" : "binary")
                      .train(new Rows(rank, 300, 2).training()));
      assertInstanceOf(LightGbmException.class, failures.get(1));
      JGlooException other = assertInstanceOf(JGlooException.class, failures.get(0));
      assertTrue(other.getMessage().contains("training failed at rank 1"), other.getMessage());
    }
  }

  @Test
  void settings_areRefusedByNameAndValue() {
    try (Ranks ranks = Ranks.of(1)) {
      DistributedTrainer trainer = new DistributedTrainer(ranks.group(0));
      assertTrue(refusal(() -> trainer.parameter("tree_learner", "feature")).contains("feature"));
      assertTrue(refusal(() -> trainer.parameter("machines", "a:1")).contains("machines"));
      assertTrue(refusal(() -> trainer.parameter("seed", "1 num_leaves=2")).contains("seed"));
      assertTrue(refusal(() -> trainer.iterations(0)).contains("iterations must be positive"));
      assertTrue(refusal(() -> TrainingRows.dense(new float[5], 2)).contains("but is 2"));
      assertTrue(
          refusal(() -> TrainingRows.dense(new float[4], 2).labels(1)).contains("each of 2 rows"));
    }
  }

  private static String refusal(org.junit.jupiter.api.function.Executable call) {
    return assertThrows(IllegalArgumentException.class, call).getMessage();
  }
}
