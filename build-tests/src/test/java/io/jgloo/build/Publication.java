package io.jgloo.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.build.Program.Outcome;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A repository of Maven that has our artifacts as a publication would have them, and links to all
 * others of the local repository; for projects that Maven resolves as it does for a user.
 */
final class Publication implements AutoCloseable {

  private final Path folder;
  private final Path repository;
  private final String version;
  private final List<Path> links = new ArrayList<>();

  /** With the parent and the BOM. The test is skipped where there is no Maven. */
  Publication(Path folder, String version) throws IOException {
    String[] programs = System.getenv("PATH").split(File.pathSeparator, -1);
    assumeTrue(
        Stream.of(programs).anyMatch(bin -> Files.isExecutable(Path.of(bin, "mvn"))),
        "no mvn on the PATH");
    this.folder = folder;
    this.version = version;
    repository = folder.resolve("repository");
    Path local = Path.of(System.getProperty("localRepository"));
    link(local, repository, "io");
    link(local.resolve("io"), repository.resolve("io"), "jgloo");
    add("jgloo-parent", OwnClasses.ROOT.resolve("pom.xml"));
    add("gloo-bom", OwnClasses.ROOT.resolve("gloo-bom/pom.xml"));
  }

  /** Adds an artifact. */
  void add(String artifact, Path pom, Path... jars) throws IOException {
    Path target =
        Files.createDirectories(repository.resolve("io/jgloo").resolve(artifact).resolve(version));
    Files.copy(pom, target.resolve(artifact + "-" + version + ".pom"));
    for (Path jar : jars) {
      Files.copy(jar, target.resolve(artifact + "-" + version + ".jar"));
    }
  }

  /** The class path that Maven makes for a project. */
  List<String> classPath(String pom) throws Exception {
    Path list = folder.resolve("classpath.txt");
    Path file = Files.writeString(folder.resolve("pom.xml"), pom);
    List<String> maven = List.of("mvn", "-B", "-nsu", "-Dmaven.repo.local=" + repository);
    List<String> goal = List.of("dependency:build-classpath", "-Dmdep.outputFile=" + list);
    Outcome outcome = Program.run(folder, List.of(maven, List.of("-f", file.toString()), goal));
    assertEquals(0, outcome.status(), outcome.output());
    return List.of(Files.readString(list).split(File.pathSeparator, -1));
  }

  /** Links to all entries of a folder but one, in a new folder. */
  private void link(Path from, Path to, String except) throws IOException {
    Files.createDirectory(to);
    try (Stream<Path> entries = Files.list(from)) {
      for (Path entry : (Iterable<Path>) entries::iterator) {
        if (!entry.endsWith(except)) {
          links.add(Files.createSymbolicLink(to.resolve(entry.getFileName()), entry));
        }
      }
    }
  }

  /** Removes the links, so that what removes the folder does not follow them. */
  @Override
  public void close() throws IOException {
    for (Path link : links) {
      Files.delete(link);
    }
  }
}
