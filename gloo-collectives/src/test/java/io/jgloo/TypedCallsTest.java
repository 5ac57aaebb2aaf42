package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The generated part of ProcessGroup.java is what {@link TypedCalls} makes of the written part.
 *
 * <p>{@code mvn -pl gloo-collectives test -Dtest=TypedCallsTest -Djgloo.update=true} brings it up
 * to date; the test fails then, as the build has compiled the source before.
 */
@Timeout(60)
class TypedCallsTest {

  private static final Path SOURCE = Path.of("src/main/java/io/jgloo/ProcessGroup.java");

  @Test
  void generatedPartIsUpToDate() throws IOException {
    String source = Files.readString(SOURCE);
    String expected = TypedCalls.regenerate(source);
    if (Boolean.getBoolean("jgloo.update")) {
      Files.writeString(SOURCE, expected);
    }
    assertEquals(expected, source, "run with -Djgloo.update=true to update " + SOURCE);
  }
}
