package io.jgloo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Four processes train as one does. */
@Timeout(180)
class TrainTest {

  private static final int ROWS = 3000;
  private static final int FEATURES = 24;
  private static final int STEPS = 60;
  private static final double ROUNDING = 1e-12;
  private static final Pattern RESULT =
      Pattern.compile(
          "rank (\\d) of \\d: loss ([0-9.e-]+), accuracy ([0-9.]+), model (\\p{XDigit}+)");

  @TempDir private static Path folder;
  private static Path file;

  private record Result(double loss, double accuracy, String model) {}

  @BeforeAll
  static void write() throws IOException {
    file = write(folder);
  }

  static Path write(Path directory) throws IOException {
    Path rows = directory.resolve("rows.libsvm");
    LibsvmFile.generate(rows, ROWS, FEATURES);
    return rows;
  }

  private static List<Result> train(int size) throws Exception {
    return run(Train.class, size, folder, file).stream().map(TrainTest::result).toList();
  }

  /** Runs a program in a process for each rank; returns what each printed. */
  static List<String> run(Class<?> program, int size, Path folder, Path file) throws Exception {
    Path store = Files.createDirectory(folder.resolve("store" + size));
    List<Process> ranks = new ArrayList<>();
    List<Path> outputs = new ArrayList<>();
    try {
      for (int rank = 0; rank < size; rank++) {
        Path output = folder.resolve(size + "-" + rank + ".txt");
        outputs.add(output);
        ranks.add(
            new ProcessBuilder(command(program, rank, size, store, file))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start());
      }
      for (Process rank : ranks) {
        assertTrue(rank.waitFor(120, TimeUnit.SECONDS), () -> "hangs: " + said(outputs));
      }
    } finally {
      ranks.forEach(Process::destroyForcibly);
    }
    List<String> printed = new ArrayList<>();
    for (Path output : outputs) {
      printed.add(Files.readString(output));
    }
    return printed;
  }

  private static String said(List<Path> outputs) {
    StringBuilder all = new StringBuilder();
    for (Path output : outputs) {
      try {
        all.append(output.getFileName()).append(": ").append(Files.readString(output));
      } catch (IOException e) {
        all.append(e);
      }
    }
    return all.toString();
  }

  private static List<String> command(Class<?> program, int rank, int size, Path store, Path file) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        System.getProperty("java.class.path"),
        program.getName(),
        "" + rank,
        "" + size,
        store.toUri().toString(),
        file.toString(),
        "" + STEPS,
        "127.0.0.1");
  }

  private static Result result(String output) {
    Matcher found = RESULT.matcher(output);
    assertTrue(found.find(), output);
    return new Result(
        Double.parseDouble(found.group(2)), Double.parseDouble(found.group(3)), found.group(4));
  }

  @Test
  void fourRanksTrainAsOneDoes() throws Exception {
    Result alone = train(1).get(0);
    List<Result> four = train(4);
    System.out.printf(Locale.ROOT, "alone %s%nfour  %s%n", alone, four.get(0));
    for (Result each : four) {
      assertEquals(four.get(0), each, "the same bits everywhere");
      assertEquals(alone.loss(), each.loss(), ROUNDING * alone.loss());
      assertEquals(alone.accuracy(), each.accuracy(), 1e-9);
    }
    assertTrue(alone.accuracy() > 0.9, "it has learned: " + alone);
    assertTrue(alone.loss() < 0.4, "it has learned: " + alone);
  }

  @Test
  void rowsAreReadAsTheFormatSays() throws IOException {
    Path rows = folder.resolve("few.libsvm");
    Files.writeString(rows, "+1 1:0.5 3:-2\n\n-1\n0 2:1e1\n");
    List<LibsvmFile.Row> read = LibsvmFile.read(rows);
    assertEquals(3, read.size());
    assertEquals(3, LibsvmFile.features(read));
    double[] weights = {1, 10, 100};
    assertEquals(0.5 - 200, read.get(0).dot(weights));
    assertEquals(0, read.get(1).dot(weights));
    assertEquals(100, read.get(2).dot(weights));
    assertTrue(read.get(0).isYes() && !read.get(1).isYes() && !read.get(2).isYes());
    Files.writeString(rows, "1 1:2\n1 3:1 2:1\n");
    IOException refusal = assertThrows(IOException.class, () -> LibsvmFile.read(rows));
    assertTrue(refusal.getMessage().contains("row 2"), refusal.getMessage());
  }
}
