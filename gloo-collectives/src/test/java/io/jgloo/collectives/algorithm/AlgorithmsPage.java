package io.jgloo.collectives.algorithm;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The page of the documentation that tests hold against the code. */
public final class AlgorithmsPage {
  private static final String NAME = "docs/design/algorithms.md";

  private AlgorithmsPage() {}

  /** Its text; tests run in the directory of their module, the page is above that. */
  public static String text() throws IOException {
    Path start = Path.of("").toAbsolutePath();
    for (Path directory = start; directory != null; directory = directory.getParent()) {
      if (Files.exists(directory.resolve(NAME))) {
        return Files.readString(directory.resolve(NAME));
      }
    }
    throw new FileNotFoundException(NAME + " above " + start);
  }
}
