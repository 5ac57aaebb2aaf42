package io.jgloo.architecture;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A defence of the library that is removed: some lines of one source file and what stands there
 * instead, and the test that must fail then.
 *
 * @param fault its number in docs/faults.md
 * @param what is removed
 * @param test as {@code Class.method} or {@code Class$Nested.method}
 * @param options of the JVM that runs it
 * @param file below the root of the project
 * @param lines consecutive lines of the file without their indentation, which occur there once
 * @param instead lines in their place
 */
record FaultMutant(
    String fault,
    String what,
    String test,
    List<String> options,
    String file,
    List<String> lines,
    List<String> instead) {

  static final Path FOLDER = OwnClasses.ROOT.resolve("gloo-architecture/src/test/mutants");

  /** All of them, in the order of the files and of their lines. */
  static List<FaultMutant> all() throws IOException {
    List<FaultMutant> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(FOLDER)) {
      for (Path file : (Iterable<Path>) files.sorted()::iterator) {
        found.addAll(parse(Files.readString(file)));
      }
    }
    return found;
  }

  /** Of a text with a paragraph for each; paragraphs of lines with # are comments. */
  static List<FaultMutant> parse(String text) {
    List<FaultMutant> found = new ArrayList<>();
    for (String paragraph : text.strip().split("\n(\\s*\n)+", -1)) {
      if (!paragraph.startsWith("#")) {
        found.add(of(paragraph.lines().toList()));
      }
    }
    return found;
  }

  private static FaultMutant of(List<String> paragraph) {
    String text = String.join("\n", paragraph);
    assertTrue(paragraph.size() >= 4, () -> "a mutant has at least four lines: " + text);
    String[] head = paragraph.get(0).split(" ", 2);
    List<String> lines = starting("- ", paragraph);
    List<String> instead = starting("+ ", paragraph);
    boolean all = 3 + lines.size() + instead.size() == paragraph.size();
    assertTrue(all && head.length == 2 && !lines.isEmpty(), () -> "not a mutant: " + text);
    List<String> test = List.of(after("test ", paragraph.get(1)).split(" ", -1));
    List<String> options = test.subList(1, test.size());
    String file = after("file ", paragraph.get(2));
    return new FaultMutant(head[0], head[1], test.get(0), options, file, lines, instead);
  }

  private static String after(String word, String line) {
    assertTrue(line.startsWith(word), () -> "must begin with '" + word + "': " + line);
    return line.substring(word.length());
  }

  private static List<String> starting(String mark, List<String> paragraph) {
    return paragraph.stream()
        .filter(line -> line.startsWith(mark))
        .map(line -> line.substring(mark.length()))
        .toList();
  }

  Path path() {
    return OwnClasses.ROOT.resolve(file);
  }

  /** The source with the change. */
  String source() throws IOException {
    List<String> all = Files.readAllLines(path());
    List<String> wanted = lines.stream().map(String::strip).toList();
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i + wanted.size() <= all.size(); i++) {
      if (all.subList(i, i + wanted.size()).stream().map(String::strip).toList().equals(wanted)) {
        places.add(i);
      }
    }
    assertTrue(places.size() == 1, () -> file + " must have once, not " + places + ": " + wanted);
    int at = places.get(0);
    List<String> changed = new ArrayList<>(all.subList(0, at));
    changed.addAll(instead);
    changed.addAll(all.subList(at + wanted.size(), all.size()));
    return String.join("\n", changed) + "\n";
  }

  @Override
  public String toString() {
    return fault + ", " + what + ": " + test;
  }
}
