package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The page about training, whose programs are methods of tests of the adapters. */
public final class TrainingPage {

  private TrainingPage() {}

  /**
   * Fails if the page has not the method of a test, which runs in the directory of an adapter.
   *
   * @param declaration of the method, up to its first parenthesis
   */
  public static void assertShows(Class<?> test, String declaration) throws IOException {
    Path adapter = Path.of("").toAbsolutePath();
    String source =
        Files.readString(
            adapter.resolve("src/test/java/" + test.getName().replace('.', '/') + ".java"));
    String method = source.substring(source.indexOf("  " + declaration + "("));
    String shown = method.substring(0, method.indexOf("\n  }\n") + 5).replaceAll("(?m)^ {2}", "");
    Path page = adapter.getParent().getParent().resolve("docs/training.md");
    assertTrue(Files.readString(page).contains(shown), shown);
  }
}
