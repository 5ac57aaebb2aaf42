package io.jgloo.build;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.tcp.wire.WireVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** gloo-bom, which has no parent, has the published libraries, their version, and nothing else. */
@Timeout(60)
final class BomTest {

  private static final Pattern MANAGED =
      Pattern.compile("<dependency>\\s*<groupId>(.*)</groupId>\\s*<artifactId>(.*)</artifactId>");
  private static final Pattern GRADLE = Pattern.compile("'(io\\.jgloo:[^:']+)");
  private static final Pattern VERSION =
      Pattern.compile(
          "<artifactId>(?:gloo-bom|jgloo-parent)</artifactId>\\s*<version>(.*)</version>");

  @Test
  void publishedLibraries_areManaged() throws IOException {
    assertEquals(published(), managed(read("gloo-bom")));
  }

  /** Gradle is not at hand to run examples/consumer: its file has what the POM has. */
  @Test
  void gradleFile_hasTheDependenciesOfThePom() throws IOException {
    Path project = OwnClasses.ROOT.resolve("examples/consumer");
    String gradle = Files.readString(project.resolve("build.gradle"));
    Set<String> dependencies =
        GRADLE
            .matcher(gradle)
            .results()
            .map(dependency -> dependency.group(1))
            .collect(toCollection(TreeSet::new));
    assertEquals(managed(read("examples/consumer")), dependencies);
    String bom = "platform('io.jgloo:gloo-bom:" + version(read("")).get(0) + "')";
    assertTrue(gradle.contains(bom), bom);
  }

  /** The first 16 characters of it go over the wire. */
  @Test
  void version_isThatOfTheHandshake() throws IOException {
    assertEquals(List.of(WireVersion.RELEASE), version(read("")));
  }

  private static Set<String> published() throws IOException {
    try (Stream<Path> libraries = Files.list(OwnClasses.ROOT);
        Stream<Path> adapters = Files.list(OwnClasses.ROOT.resolve("adapters"))) {
      List<Path> folders =
          Stream.concat(libraries, adapters)
              .map(OwnClasses.ROOT::relativize)
              .filter(folder -> folder.toString().matches("gloo-(?!bom).*|adapters/gloo-.*"))
              .toList();
      Set<String> found = new TreeSet<>();
      for (Path folder : folders) {
        if (!read(folder.toString()).contains("<maven.deploy.skip>true<")) {
          found.add("io.jgloo:" + folder.getFileName());
        }
      }
      return found;
    }
  }

  private static Set<String> managed(String pom) {
    return MANAGED
        .matcher(pom)
        .results()
        .map(dependency -> dependency.group(1) + ":" + dependency.group(2))
        .collect(toCollection(TreeSet::new));
  }

  private static List<String> version(String pom) {
    return VERSION.matcher(pom).results().map((MatchResult match) -> match.group(1)).toList();
  }

  private static String read(String folder) throws IOException {
    return Files.readString(OwnClasses.ROOT.resolve(folder).resolve("pom.xml"));
  }
}
