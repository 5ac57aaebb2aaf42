package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The page about training, whose programs are methods of examples, and of tests of adapters. */
public final class TrainingPage {

  private TrainingPage() {}

  /**
   * Fails if the page has not the method of a class, whose module is tested.
   *
   * @param declaration of the method, up to its first parenthesis
   */
  public static void assertShows(Class<?> program, String declaration) throws IOException {
    Path module = Path.of("").toAbsolutePath();
    String file = "java/" + program.getName().replace('.', '/') + ".java";
    Path source = module.resolve("src/test").resolve(file);
    if (Files.notExists(source)) {
      source = module.resolve("src/main").resolve(file);
    }
    String text = Files.readString(source);
    String method = text.substring(text.indexOf("  " + declaration + "("));
    String shown = method.substring(0, method.indexOf("\n  }\n") + 5).replaceAll("(?m)^ {2}", "");
    Path page = module.getParent().getParent().resolve("docs/training.md");
    assertTrue(Files.readString(page).contains(shown), shown);
  }
}
