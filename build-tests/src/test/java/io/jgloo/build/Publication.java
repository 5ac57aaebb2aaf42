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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A repository of Maven that has our artifacts as a publication would have them, and links to all
 * others of the local repository; for projects that Maven resolves as it does for a user.
 */
final class Publication implements AutoCloseable {

  private static final Pattern JAR = Pattern.compile("/gloo-transport-([^/]*)(?<!-tests)\\.jar");

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

  /** With what examples/consumer needs. The test is skipped where Maven has packed no jars. */
  static Publication ofLibraries(Path folder) throws IOException {
    Matcher found = JAR.matcher(System.getProperty("java.class.path"));
    assumeTrue(found.find(), "the libraries are packed in phase package");
    Publication publication = new Publication(folder, found.group(1));
    for (String library : List.of("transport", "rendezvous", "collectives", "testkit")) {
      Path module = OwnClasses.ROOT.resolve("gloo-" + library);
      Path jar = module.resolve("target/gloo-" + library + "-" + found.group(1) + ".jar");
      publication.add("gloo-" + library, module.resolve("pom.xml"), jar);
    }
    return publication;
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

  /** The class path of an application that Maven makes for a project. */
  List<String> classPath(String pom) throws Exception {
    Path list = folder.resolve("classpath.txt");
    Files.writeString(folder.resolve("pom.xml"), pom);
    String[] options = {"-Dmdep.outputFile=" + list, "-DincludeScope=runtime"};
    Outcome outcome = maven("dependency:build-classpath", options);
    assertEquals(0, outcome.status(), outcome.output());
    return List.of(Files.readString(list).split(File.pathSeparator, -1));
  }

  /** Runs Maven for the project of the folder. */
  Outcome maven(String goal, String... options) throws Exception {
    List<String> maven = List.of("mvn", "-B", "-nsu", "-Dmaven.repo.local=" + repository);
    List<String> project = List.of("-f", folder.resolve("pom.xml").toString(), goal);
    return Program.run(folder, List.of(maven, project, List.of(options)));
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
