package io.jgloo.build;

import static io.jgloo.build.Program.documentedOptions;
import static io.jgloo.build.Program.joined;
import static io.jgloo.build.Program.tool;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.bench.process.Job;
import io.jgloo.build.Program.Outcome;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The project examples/consumer, compiled and started as an application with only our libraries and
 * what they need: with the options that the pages tell, and with another Netty than ours. Maven
 * gives the jars in phase verify, the class folders in phase test.
 */
@Timeout(600)
final class ConsumerTest {

  private static final String MODULE = "io.jgloo.examples.consumer";
  private static final String MAIN = MODULE + ".Sum";
  private static final Path PROJECT = OwnClasses.ROOT.resolve("examples/consumer");
  private static final Path SOURCES = PROJECT.resolve("src/main/java");

  /** Copied by the POM. */
  private static final Path OLD_NETTY = OwnClasses.ROOT.resolve("build-tests/target/netty4.1");

  private static final Pattern LIBRARY =
      Pattern.compile(
          "gloo-(transport|rendezvous|collectives)/target/(classes|[^/]*SNAPSHOT\\.jar)$");

  /** What these need; gloo-bench also has Netty's libraries for TLS. */
  private static final Pattern NEEDED =
      Pattern.compile("/io/netty/(?!netty-(tcnative|pkitesting))|/jspecify/");

  @TempDir private static Path compiled;

  @TempDir private Path folder;

  private final List<String> path = libraries();

  ConsumerTest() {
    path.add(compiled.toString());
  }

  @BeforeAll
  static void compileOnTheModulePath() throws Exception {
    List<String> command = new ArrayList<>(List.of(tool("javac"), "-p", joined(libraries())));
    command.addAll(List.of("-Xlint:all,-requires-automatic", "-Werror", "--release", "17"));
    command.addAll(List.of("-d", compiled.toString()));
    try (Stream<Path> files = Files.walk(SOURCES)) {
      files.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(command::add);
    }
    Outcome outcome = Program.run(compiled, List.of(command));
    assertEquals(0, outcome.status(), outcome.output());
  }

  @Test
  void onTheClassPath_fourRanksReduceByEpoll() throws Exception {
    assertReduced(start(tool("java"), documentedOptions(0), List.of("-cp", joined(path), MAIN)));
  }

  @Test
  void onTheModulePath_fourRanksReduceByEpoll() throws Exception {
    List<String> arguments = List.of("-p", joined(path), "-m", MODULE + "/" + MAIN);
    assertReduced(start(tool("java"), documentedOptions(1), arguments));
  }

  @Tag("full")
  @Test
  void inAnImage_fourRanksReduceByEpoll() throws Exception {
    assumeTrue(Files.exists(Path.of(tool("jlink"))), "this JDK has no jlink");
    Path image = folder.resolve("image");
    List<String> link = List.of("-p", joined(path), "--add-modules", MODULE);
    List<String> output = List.of("--output", image.toString());
    Outcome linked = Program.run(folder, List.of(List.of(tool("jlink")), link, output));
    assertEquals(0, linked.status(), linked.output());
    List<String> arguments = List.of("-m", MODULE + "/" + MAIN);
    assertReduced(start(image.resolve("bin/java").toString(), documentedOptions(1), arguments));
  }

  @Test
  void withNetty41_aStoreServerTellsVersionJarAndRemedy() throws Exception {
    path.replaceAll(ConsumerTest::withOldNetty);
    Outcome outcome = start(tool("java"), documentedOptions(0), List.of("-cp", joined(path), MAIN));
    assertNotEquals(0, outcome.status(), outcome.output());
    assertFalse(outcome.output().contains("NoClassDefFoundError"), outcome.output());
    assertTellsOldNetty("cannot serve a store on 127.0.0.1:", "common", outcome);
  }

  @Test
  void withNetty41_ranksOfAFileStoreReduceByNio() throws Exception {
    path.replaceAll(ConsumerTest::withOldNetty);
    List<String> arguments = List.of("-cp", joined(path), MAIN);
    String store = Files.createDirectory(folder.resolve("store")).toUri().toString();
    Outcome outcome = start(tool("java"), documentedOptions(0), arguments, store);
    assertSums(outcome);
    assertTellsOldNetty("WARNING: epoll is not available, java.nio is used", "common", outcome);
  }

  private static void assertTellsOldNetty(String what, String artifact, Outcome outcome) {
    String file = "netty-" + artifact + "-4.1.118.Final.jar";
    String message =
        Pattern.quote(what)
            + ".*JGloo needs Netty 4\\.2, found 4\\.1\\.118\\.Final at file:\\S*"
            + Pattern.quote(file)
            + ": import io\\.netty:netty-bom of 4\\.2 before the BOM that manages Netty";
    assertTrue(Pattern.compile(message).matcher(outcome.output()).find(), outcome.output());
  }

  private static void assertReduced(Outcome outcome) {
    assertSums(outcome);
    String output = outcome.output();
    if (System.getProperty("os.name").equals("Linux")) {
      assertEquals(1, output.split("; epoll sockets,", -1).length - 1, output); // of 4 devices
    }
    assertFalse(output.contains("WARNING"), output);
    assertFalse(output.contains("IllegalCallerException"), output);
  }

  private static void assertSums(Outcome outcome) {
    assertEquals(0, outcome.status(), outcome.output());
    for (int rank = 0; rank < 4; rank++) {
      String line = "rank " + rank + ": [6.0, 4.0, 8.0]";
      assertTrue(outcome.output().contains(line), outcome.output());
    }
  }

  private static List<String> libraries() {
    List<String> found = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (LIBRARY.matcher(entry).find() || NEEDED.matcher(entry).find()) {
        found.add(entry);
      }
    }
    assertEquals(14, found.size(), () -> "3 libraries, 10 of Netty and JSpecify: " + found);
    return found;
  }

  private static String withOldNetty(String entry) {
    if (!entry.contains("/io/netty/")) {
      return entry;
    }
    String name = Path.of(entry).getFileName().toString();
    Path old = OLD_NETTY.resolve(name.replaceFirst("-4\\.2\\.\\d+", "-4.1.118"));
    return old.toString().replace("netty-codec-base", "netty-codec");
  }

  private Outcome start(String java, List<String> options, List<String> program) throws Exception {
    return start(java, options, program, "tcp://127.0.0.1:" + Job.freePort());
  }

  private Outcome start(String java, List<String> options, List<String> program, String store)
      throws Exception {
    return Program.run(folder, List.of(List.of(java), options, program, List.of(store)));
  }
}
