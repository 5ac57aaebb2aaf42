package io.jgloo.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder that is gone when it is closed. */
record TemporaryFolder(Path path) implements AutoCloseable {

  static TemporaryFolder create() throws IOException {
    return new TemporaryFolder(Files.createTempDirectory("jgloo-compare"));
  }

  /** Deletes a folder and all that is in it. */
  static void delete(Path folder) throws IOException {
    List<Path> deepestFirst;
    try (Stream<Path> all = Files.walk(folder)) {
      deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : deepestFirst) {
      Files.deleteIfExists(path);
    }
  }

  @Override
  public void close() throws IOException {
    delete(path);
  }
}
