package io.jgloo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three trainers with a remote model or parameter server, in four processes, train as one does. */
@Tag("full")
@Timeout(180)
class RemoteTrainTest {

  private static final double ROUNDING = 1e-12;
  private static final Pattern RESULT =
      Pattern.compile("(\\d) (?:trainers|workers): loss ([0-9.e-]+), accuracy ([0-9.]+)");

  private record Result(double loss, double accuracy) {}

  private static Result train(Class<?> program, int trainers, Path folder, Path file)
      throws Exception {
    List<String> printed = TrainTest.run(program, trainers + 1, folder, file);
    Matcher found = RESULT.matcher(String.join("\n", printed));
    assertTrue(found.find(), printed.toString());
    assertEquals(trainers, Integer.parseInt(found.group(1)));
    for (String each : printed) {
      assertTrue(!each.contains("Exception") && !each.contains("was open"), each);
    }
    return new Result(Double.parseDouble(found.group(2)), Double.parseDouble(found.group(3)));
  }

  @ParameterizedTest
  @ValueSource(classes = {RemoteTrain.class, PsTrain.class})
  void threeTrainersTrainAsOneDoes(Class<?> program, @TempDir Path folder) throws Exception {
    Path file = TrainTest.write(folder);
    Result alone = train(program, 1, folder, file);
    Result three = train(program, 3, folder, file);
    System.out.println("alone " + alone + ", three " + three);
    assertEquals(alone.loss(), three.loss(), ROUNDING * alone.loss());
    assertEquals(alone.accuracy(), three.accuracy(), 1e-9);
    assertTrue(alone.accuracy() > 0.9, "it has learned: " + alone);
    assertTrue(alone.loss() < 0.4, "it has learned: " + alone);
  }
}
