package io.jgloo.build;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.ProcessGroup;
import io.jgloo.testkit.LocalRanks;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The programs of docs/guide.md compile, and their methods {@code run} end well at 3 ranks. */
@Timeout(300)
final class ProgramsTest {

  private static final Path PAGE = PageCode.page("docs/guide.md");
  private static final int AT_LEAST = 7;

  @TempDir private Path folder;

  @Test
  void programsOfThePageCompileAndRun() throws Exception {
    List<String> names = PageCode.compile(PAGE, folder);
    assertTrue(names.size() >= AT_LEAST, () -> "only " + names);
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      List<Method> runs = new ArrayList<>();
      for (String name : names) {
        Method run = Class.forName(name, true, loader).getDeclaredMethod("run", ProcessGroup.class);
        run.setAccessible(true);
        runs.add(run);
      }
      LocalRanks.run(
          3,
          group -> {
            for (Method run : runs) {
              run.invoke(null, group);
            }
          });
    }
  }
}
