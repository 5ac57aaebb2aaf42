package io.jgloo.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that use the kit, run as a user's build runs them: good ones and planted bugs. */
@Timeout(600)
final class TestkitTest {

  private static final String BUGS =
      """
      package planted;

      import io.jgloo.ProcessGroup;
      import io.jgloo.collectives.ReduceOp;
      import io.jgloo.testkit.Faults;
      import io.jgloo.testkit.Ranks;
      import java.time.Duration;

      final class BugsTest {
        @Ranks(3)
        void wrongRoot(ProcessGroup group) {
          group.broadcast(new int[1], group.rank() == 2 ? 1 : 0);
        }

        @Ranks(3)
        void skippedCall(ProcessGroup group) {
          if (group.rank() != 1) {
            group.allreduce(new int[1], ReduceOp.SUM);
          }
        }

        @Ranks(4)
        void exception(ProcessGroup group) {
          if (group.rank() == 2) {
            throw new IllegalStateException("planted");
          }
          group.barrier();
        }

        @Ranks(2)
        void leakedGroup(ProcessGroup group) {
          group.newGroup(0, 1);
        }

        @Ranks(value = 2, deadlineSeconds = 3)
        void deadlock(ProcessGroup group) {
          group.recv(new int[1], 1 - group.rank(), 7);
        }

        @Ranks(value = 2, processes = true)
        void lostProcess(ProcessGroup group, Faults faults) {
          if (group.rank() == 0) {
            faults.atRandom(Duration.ofMillis(5)).kill(1);
          }
          while (true) {
            group.barrier();
          }
        }
      }
      """;

  @TempDir private Path folder;

  @Test
  void programsOfThePage_pass() throws Exception {
    List<String> names = PageCode.compile(PageCode.page("docs/testing.md"), folder);
    assertEquals(4, names.size(), names::toString);
    String output = run(folder, names);
    assertEquals(7, output.split("SUCCESSFUL", -1).length - 1, output); // one has four sizes
    assertTrue(!output.contains("FAILED"), output);
  }

  /** Maven runs the tests of examples/consumer, whose one dependency for them is the kit. */
  @Test
  void plantedBugs_failWithTheRankAndTheReason() throws Exception {
    Path example = OwnClasses.ROOT.resolve("examples/consumer");
    try (Publication publication = Publication.ofLibraries(folder);
        Stream<Path> files = Files.walk(example)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        Path copy = folder.resolve(example.relativize(file));
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
      Path bugs = Files.createDirectories(folder.resolve("src/test/java/planted"));
      Files.writeString(bugs.resolve("BugsTest.java"), BUGS);
      String output = publication.maven("test").output();
      assertFound("Tests run: 2, Failures: 0, Errors: 0, .* in .*\\.SumTest", output);
      assertFound("Tests run: 6, Failures: 6, Errors: 0, .* in planted\\.BugsTest", output);
      assertFailed("wrongRoot", "rank \\d: .*broadcast", output);
      assertFailed("skippedCall", "rank [02]: .*peer 1 .* has left", output);
      assertFailed("exception", "rank 2: java.lang.IllegalStateException: planted", output);
      assertFailed(
          "leakedGroup", "leaked: group world/0 rank 0 of 2; group world/0 rank 1", output);
      assertFailed("deadlock", "ranks \\[0, 1\\] hang after 3.0 s:", output);
      assertFailed("lostProcess", "rank 0: .*PeerLostException", output);
      assertFound("rank 2: operation:broadcast, .* root:1", output);
      assertFound("rank 1: no call", output);
      assertFound("rank 0: operation:recv, .*peer:1, tag:7", output);
      assertFound("    at \\S*planted\\.BugsTest\\.deadlock", output);
      assertFound("faults of seed (\\d+): -Djgloo.testkit.seed=\\1 repeats", output);
    }
  }

  private static void assertFailed(String test, String message, String output) {
    assertFound("BugsTest\\." + test + "\\(.*\\s.*AssertionError: \\s*" + message, output);
  }

  private static void assertFound(String pattern, String output) {
    assertTrue(Pattern.compile(pattern).matcher(output).find(), () -> pattern + " in " + output);
  }

  private static String run(Path folder, List<String> classes) throws Exception {
    Process process =
        PageCode.start(folder, TestRun.class.getName(), classes.toArray(String[]::new));
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the tests do not end");
    return output;
  }
}
