package io.jgloo.collectives.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The classes of loops are what {@link LoopSources} generates.
 *
 * <p>{@code mvn -pl gloo-collectives test -Dtest=LoopSourcesTest -Djgloo.update=true} writes them;
 * the test fails then if it changes one, as the build has compiled the old source.
 */
@Timeout(60)
class LoopSourcesTest {

  private static final Path FOLDER = Path.of("src/main/java/io/jgloo/collectives/kernel");

  @Test
  void generatedSourcesAreUpToDate() throws IOException {
    Map<Path, String> stale = new TreeMap<>();
    for (Map.Entry<String, String> entry : LoopSources.all().entrySet()) {
      Path file = FOLDER.resolve(entry.getKey() + ".java");
      if (!Files.exists(file) || !Files.readString(file).equals(entry.getValue())) {
        stale.put(file, entry.getValue());
      }
    }
    if (Boolean.getBoolean("jgloo.update")) {
      for (Map.Entry<Path, String> entry : stale.entrySet()) {
        Files.writeString(entry.getKey(), entry.getValue());
      }
    }
    assertEquals(Set.of(), stale.keySet(), "run with -Djgloo.update=true to update these files");
  }
}
