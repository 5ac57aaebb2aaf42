package io.jgloo.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tests of docs/faults.md fail when the defence is removed that they are about. Each build
 * looks whether src/test/mutants fits the sources; {@code -Dmutants=all}, or some faults as {@code
 * -Dmutants=F01,N05}, also compiles the mutants and runs their tests, without and with the change,
 * and adds a line for each to target/mutants.txt.
 */
@Timeout(100)
final class FaultMutantsTest {

  private static final Path REPORT =
      OwnClasses.ROOT.resolve("gloo-architecture/target/mutants.txt");
  private static final List<String> CHOSEN =
      Arrays.stream(System.getProperty("mutants", "").split(",", -1))
          .filter(id -> !id.isEmpty())
          .toList();
  private static final List<String> MODULES =
      Stream.of("transport", "rendezvous", "collectives", "segments", "rpc", "ps", "bench")
          .map(name -> "gloo-" + name)
          .toList();

  /** Modules whose test classes tests of others use. */
  private static final List<String> EXPORTING = List.of("gloo-transport", "gloo-rendezvous");

  private static final int PATIENCE_SECONDS = 300;
  private static final int DENIED_SINCE = 24;
  private static final int SEGMENTS_SINCE = 22;

  /** The outcomes of tests without a change. */
  private static final Map<String, Outcome> BEFORE = new ConcurrentHashMap<>();

  private static List<FaultMutant> mutants;
  private static TestMethods methods;

  @TempDir private static Path folder;

  @BeforeAll
  static void read() throws IOException {
    mutants = FaultMutant.all();
    methods = TestMethods.of(OwnClasses.ROOT);
  }

  @Test
  void mutants_fitTheSources() {
    assertEquals(List.of(), mistakes(mutants));
  }

  @Test
  void eachFault_hasAMutant() throws IOException {
    List<String> missing = new ArrayList<>(FaultCatalogueTest.faults());
    mutants.forEach(mutant -> missing.remove(mutant.fault()));
    assertEquals(List.of(), missing);
  }

  @Test
  void plantedMistakes_areFound() {
    String file = "file gloo-architecture/src/test/java/io/jgloo/architecture/Planted.java";
    String text =
        String.join(
            "\n",
            "# a comment",
            "",
            "F01 a test that does not exist\ntest FaultMutantsTest.none\n" + file,
            "- package io.jgloo.architecture;",
            "",
            "F01 a line that does not occur\ntest FaultMutantsTest.read\n" + file,
            "- package io.jgloo.transport;",
            "+ package io.jgloo;");
    assertEquals(3, mistakes(FaultMutant.parse(text)).size(), mistakes(mutants)::toString);
    assertThrows(AssertionError.class, () -> FaultMutant.parse("F01 no test\n- a\n+ b\n+ c"));
  }

  private static List<String> mistakes(List<FaultMutant> all) {
    List<String> mistakes = new ArrayList<>();
    for (FaultMutant mutant : all) {
      try {
        assertTrue(!mutant.source().equals(Files.readString(mutant.path())), "no change");
      } catch (IOException | AssertionError e) {
        mistakes.add(mutant + ": " + e.getMessage());
      }
      String[] test = mutant.test().split("\\.", -1);
      if (test.length != 2 || !methods.contains(test[0].replaceAll(".*\\$", ""), test[1])) {
        mistakes.add(mutant + ": no test that runs");
      }
    }
    return mistakes;
  }

  @TestFactory
  Stream<DynamicTest> tests_failWithTheirMutants() {
    return mutants.stream()
        .filter(mutant -> CHOSEN.contains("all") || CHOSEN.contains(mutant.fault()))
        .map(mutant -> DynamicTest.dynamicTest(mutant.toString(), () -> assertRed(mutant)));
  }

  private static void assertRed(FaultMutant mutant) throws Exception {
    boolean newer = mutant.file().startsWith("gloo-segments/");
    assumeTrue(!newer || Runtime.version().feature() >= SEGMENTS_SINCE, "needs a later JDK");
    Path classes = compile(mutant);
    Outcome before = BEFORE.get(mutant.test());
    if (before == null) {
      before = run(mutant, Path.of("none"));
      BEFORE.put(mutant.test(), before);
    }
    assumeTrue(before.status() != OneTestRun.NOT_RUN, "the test is skipped here");
    Outcome with = run(mutant, classes);
    String outcome = before.status() != OneTestRun.PASSED ? "NOT GREEN BEFORE" : with.toString();
    String line = String.format(Locale.ROOT, "%s | %s%n", mutant, outcome);
    Files.writeString(REPORT, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    assertEquals(OneTestRun.PASSED, before.status(), () -> "without the change: " + BEFORE);
    assertTrue(with.isRed(), () -> "with the change: " + with + "\n" + with.output());
  }

  /** The folder with the classes of the changed file. */
  private static Path compile(FaultMutant mutant) throws IOException {
    Path classes = Files.createTempDirectory(folder, "classes");
    String name = mutant.path().getFileName().toString();
    Path source = Files.createTempDirectory(folder, "source").resolve(name);
    Files.writeString(source, mutant.source());
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                messages,
                messages,
                "-proc:none",
                "-nowarn",
                "-g",
                "-d",
                classes.toString(),
                "-cp",
                path(classes, MODULES.get(0)),
                source.toString());
    assertEquals(0, status, () -> mutant + "\n" + messages);
    return classes;
  }

  /**
   * Mutated classes first, then the tests of a module and of those that export theirs, then all
   * that this process has. Services of the tests of other modules would be found twice.
   */
  private static String path(Path classes, String module) {
    List<String> path = new ArrayList<>(List.of(classes.toString()));
    for (String name : Stream.concat(Stream.of(module), EXPORTING.stream()).distinct().toList()) {
      path.add(target(name).resolve("test-classes").toString());
    }
    MODULES.forEach(name -> path.add(target(name).resolve("classes").toString()));
    path.add(System.getProperty("java.class.path"));
    return String.join(File.pathSeparator, path);
  }

  private static Path target(String module) {
    return OwnClasses.ROOT.resolve(module).resolve("target");
  }

  private record Outcome(int status, double seconds, String output) {
    boolean isRed() {
      return status == OneTestRun.RED;
    }

    @Override
    public String toString() {
      String last = output.lines().reduce("", (a, b) -> b.isEmpty() ? a : b);
      String what =
          switch (status) {
            case OneTestRun.PASSED -> "NOT FOUND";
            case OneTestRun.NOT_RUN -> "skipped";
            case OneTestRun.RED -> last;
            default -> "exit code " + status + " " + last;
          };
      return String.format(Locale.ROOT, "%.1f s | %.200s", seconds, what);
    }
  }

  private static Outcome run(FaultMutant mutant, Path classes) throws Exception {
    String[] names = mutant.test().split("\\.", -1);
    Path source =
        SourceTrees.files(OwnClasses.ROOT, "/" + names[0].replaceAll("\\$.*", "") + ".java")
            .stream()
            .filter(file -> file.toString().contains("/src/test/java/"))
            .findFirst()
            .orElseThrow();
    String[] parts = source.toString().split("/src/test/java/", -1);
    String name = parts[1].substring(0, parts[1].lastIndexOf('/') + 1) + names[0];
    String module = Path.of(parts[0]).getFileName().toString();
    List<String> command = command(mutant.options(), path(classes, module));
    command.addAll(List.of(OneTestRun.class.getName(), name.replace('/', '.'), names[1]));
    Path output = Files.createTempFile(folder, "output", ".txt");
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .directory(OwnClasses.ROOT.resolve(module).toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
      double seconds = (System.nanoTime() - start) / 1e9;
      return new Outcome(ended ? process.exitValue() : -1, seconds, Files.readString(output));
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** The options of surefire, and more. */
  private static List<String> command(List<String> options, String path) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>(List.of(java, "-ea", "-Xmx1g"));
    command.add("-XX:MaxDirectMemorySize=2g");
    if (Runtime.version().feature() >= DENIED_SINCE) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.addAll(options);
    command.addAll(List.of("-cp", path));
    return command;
  }
}
