package io.jgloo.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The recipes of docs/extending.md compile, are found as services and do what they say. */
@Timeout(300)
final class RecipesTest {

  private static final Path PAGE = PageCode.page("docs/extending.md");
  private static final Pattern SERVICE =
      Pattern.compile("^(META-INF/services/\\S+): (\\w+)$", Pattern.MULTILINE);

  @TempDir private Path folder;

  /** In a process that has the recipes on its class path, where services are looked for. */
  @Test
  void recipesOfThePageCompileAndRun() throws Exception {
    List<String> names = PageCode.compile(PAGE, folder);
    assertEquals(List.of("LocalProvider", "HeapProvider", "StarProvider", "Complex"), names);
    Matcher services = SERVICE.matcher(Files.readString(PAGE));
    Files.createDirectories(folder.resolve("META-INF/services"));
    while (services.find()) {
      Files.writeString(folder.resolve(services.group(1)), services.group(2));
    }
    Process run = PageCode.start(folder, RecipesRun.class.getName());
    try {
      String output = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(run.waitFor(60, TimeUnit.SECONDS), "hangs");
      assertEquals(0, run.exitValue(), output);
    } finally {
      run.destroyForcibly();
    }
  }
}
