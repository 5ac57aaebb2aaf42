package io.jgloo.build;

import static io.jgloo.build.Program.documentedOptions;
import static io.jgloo.build.Program.joined;
import static io.jgloo.build.Program.tool;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.bench.process.Job;
import io.jgloo.build.Program.Outcome;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * gloo-shaded: its content, and the project examples/netty41 with it and the Netty 4.1 of Spring
 * Boot.
 */
@Timeout(600)
final class ShadedTest {

  private static final Path MODULE = OwnClasses.ROOT.resolve("gloo-shaded");
  private static final Path EXAMPLE = OwnClasses.ROOT.resolve("examples/netty41");
  private static final String MAIN = "io.jgloo.examples.netty41.Beside";
  private static final String REDUCED = "dependency-reduced-pom.xml";

  private static final Pattern PACKED = Pattern.compile("/gloo-transport-([^/]*)\\.jar");
  private static final boolean LINUX = System.getProperty("os.name").equals("Linux");

  /** Copied by the POM. */
  private static final Path NETTY = OwnClasses.ROOT.resolve("build-tests/target/netty4.1");

  private static final Pattern DEPENDENCY =
      Pattern.compile(
          "<artifactId>([^<]*)</artifactId>\\s*<version>[^<]*</version>\\s*<scope>compile");

  @TempDir private Path folder;

  private String version;
  private Path jar;

  /** A reactor without phase package has class folders, and no jar, or one of an earlier build. */
  @BeforeEach
  void findTheJar() {
    Matcher packed = PACKED.matcher(System.getProperty("java.class.path"));
    assumeTrue(packed.find(), "gloo-shaded is made in phase package");
    version = packed.group(1);
    jar = MODULE.resolve("target/gloo-shaded-" + version + ".jar");
  }

  @Test
  void besideNetty41_twoProcessesReduceByEpoll() throws Exception {
    assertReduces(jar, transports());
  }

  /** Its manifest tells JGloo's version, which will be 4.1 one day. */
  @Tag("full")
  @Test
  void versionOfJGloo_isNotTakenForNettys() throws Exception {
    Path later = Files.copy(jar, folder.resolve("later.jar"));
    try (FileSystem content = FileSystems.newFileSystem(later)) {
      Path file = content.getPath(JarFile.MANIFEST_NAME);
      String manifest = Files.readString(file);
      String changed = manifest.replace("Version: " + version, "Version: 4.1.0");
      assertTrue(!changed.equals(manifest), manifest);
      Files.writeString(file, changed);
    }
    assertReduces(later);
  }

  @Test
  void allClassesAreOfOurPackages() throws IOException {
    List<String> classes = entries(".*\\.class");
    assertEquals(
        List.of(), classes.stream().filter(name -> !name.startsWith("io/jgloo/")).toList());
    assertTrue(classes.contains("io/jgloo/ProcessGroup.class"));
    assertTrue(classes.contains("io/jgloo/shaded/io/netty/channel/Channel.class"));
    try (JarFile content = new JarFile(jar.toFile())) {
      Attributes manifest = content.getManifest().getMainAttributes();
      assertEquals("io.jgloo.shaded", manifest.getValue("Automatic-Module-Name"));
    }
  }

  /** The application's Netty would read resources of these names too. */
  @Test
  void noResourceHasANameOfNetty() throws IOException {
    String names = "INDEX\\.LIST|io\\.netty\\.versions\\.properties|native-image/.*|versions/.*";
    assertEquals(List.of(), entries("META-INF/(" + names + ")"));
    String epoll = "META-INF/native/libio_jgloo_shaded_netty_transport_native_epoll_";
    assertEquals(
        List.of(epoll + "aarch_64.so", epoll + "x86_64.so"), entries("META-INF/native/lib.*"));
    assertTrue(text("META-INF/NOTICE").contains("The Netty Project"));
  }

  @Test
  void servicesAreThoseOfTheLibraries() throws IOException {
    String list = "META-INF/services/io.jgloo.transport.DeviceProvider";
    Path source = OwnClasses.ROOT.resolve("gloo-transport/src/main/resources").resolve(list);
    assertEquals(Files.readString(source).strip(), text(list).strip());
  }

  @Test
  void pom_bringsNothingButJedisOptionally() throws IOException {
    String pom = Files.readString(MODULE.resolve(REDUCED));
    assertEquals(
        List.of("jedis"),
        DEPENDENCY.matcher(pom).results().map((MatchResult found) -> found.group(1)).toList());
    assertTrue(pom.contains("<optional>true</optional>"), pom);
  }

  /** Maven resolves the example, whose repository has our artifacts as a publication would. */
  @Test
  @Tag("full")
  void besideSpringBoot_mavenKeepsNetty41() throws Exception {
    try (Publication publication = new Publication(folder, version)) {
      publication.add("gloo-shaded", MODULE.resolve(REDUCED), jar);
      List<String> path = publication.classPath(Files.readString(EXAMPLE.resolve("pom.xml")));
      Pattern allowed = Pattern.compile("/(gloo-shaded|netty-.*-4\\.1\\.118)[^/]*$");
      assertEquals(
          List.of(), path.stream().filter(entry -> !allowed.matcher(entry).find()).toList());
      assertReduces(path, transports());
    }
  }

  private void assertReduces(Path shaded, String... transports) throws Exception {
    List<String> path = new ArrayList<>(List.of(shaded.toString()));
    try (Stream<Path> jars = Files.list(NETTY)) {
      jars.map(Path::toString).sorted().forEach(path::add);
    }
    assertReduces(path, transports);
  }

  /** Rank 0 uses the application's Netty between two calls, for which rank 1 waits. */
  private void assertReduces(List<String> path, String... transports) throws Exception {
    String classes = folder.resolve("classes").toString();
    String source = EXAMPLE.resolve("src/main/java").resolve(MAIN.replace('.', '/')) + ".java";
    List<String> compile = new ArrayList<>(List.of(tool("javac"), "-cp", joined(path)));
    compile.addAll(List.of("-Xlint:all", "-Werror", "--release", "17", "-d", classes, source));
    Outcome compiled = Program.run(folder, List.of(compile));
    assertEquals(0, compiled.status(), compiled.output());
    List<String> java = new ArrayList<>(List.of(tool("java")));
    java.addAll(documentedOptions(0));
    java.addAll(List.of("-cp", joined(path) + File.pathSeparator + classes, MAIN));
    String store = "tcp://127.0.0.1:" + Job.freePort();
    List<String> first = List.of("0", "2", store);
    try (Program rank0 = Program.start(folder, List.of(java, first, List.of(transports)));
        Program rank1 = Program.start(folder, List.of(java, List.of("1", "2", store)))) {
      String output = assertReduced(0, rank0.end());
      assertFalse(assertReduced(1, rank1.end()).contains("WARNING")); // JDK 25 warns of Netty 4.1
      for (String transport : transports) {
        String line = transport + " of 4.1.118.Final: hello";
        assertTrue(output.contains(line), output);
      }
    }
  }

  private static String[] transports() {
    return LINUX ? new String[] {"epoll", "nio"} : new String[] {"nio"};
  }

  private static String assertReduced(int rank, Outcome outcome) {
    String output = outcome.output();
    assertEquals(0, outcome.status(), output);
    assertTrue(output.contains("rank " + rank + ": [1.0, 2.0, 4.0]"), output);
    assertTrue(output.contains("rank " + rank + ": [2.0, 4.0, 8.0]"), output);
    assertTrue(output.contains("; epoll sockets,") || !LINUX, output);
    return output;
  }

  private List<String> entries(String name) throws IOException {
    try (JarFile content = new JarFile(jar.toFile())) {
      return content.stream()
          .map(ZipEntry::getName)
          .filter(entry -> entry.matches(name))
          .sorted()
          .toList();
    }
  }

  private String text(String name) throws IOException {
    try (FileSystem content = FileSystems.newFileSystem(jar)) {
      return Files.readString(content.getPath(name));
    }
  }
}
