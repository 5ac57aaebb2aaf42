package io.jgloo.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The sizes of CONTRIBUTING.md, measured on the sources. */
@Timeout(300)
final class TidinessTest {

  private static final int LINES_PER_FILE = 500;
  private static final int LINES_PER_METHOD = 50;

  /**
   * Longer on purpose: all calls of a group are in one class, where users find them in one place of
   * the Javadoc; most of it is generated from the rest.
   */
  private static final Path FACADE =
      Path.of("gloo-collectives/src/main/java/io/jgloo/ProcessGroup.java");

  @Test
  void noFileIsTooLong() throws IOException {
    List<String> offenders = new ArrayList<>();
    for (Path file : SourceTrees.files(OwnClasses.ROOT, ".java", ".c", ".h", ".inc")) {
      try (Stream<String> lines = Files.lines(file)) {
        long count = lines.count();
        if (count > LINES_PER_FILE && !OwnClasses.ROOT.relativize(file).equals(FACADE)) {
          offenders.add(OwnClasses.ROOT.relativize(file) + ": " + count + " lines");
        }
      }
    }
    assertEquals(List.of(), offenders, "files over " + LINES_PER_FILE + " lines");
  }

  @Test
  void noMethodIsTooLong() throws IOException {
    List<String> offenders = new ArrayList<>();
    SourceTrees.parse(
        SourceTrees.files(OwnClasses.ROOT, ".java"),
        (unit, positions) -> {
          Path file = OwnClasses.ROOT.relativize(Path.of(unit.getSourceFile().toUri()));
          LineMap lines = unit.getLineMap();
          new TreeScanner<Void, Void>() {
            @Override
            public Void visitMethod(MethodTree method, Void unused) {
              long first = lines.getLineNumber(positions.getStartPosition(unit, method));
              long last = lines.getLineNumber(positions.getEndPosition(unit, method));
              if (last - first + 1 > LINES_PER_METHOD) {
                offenders.add(
                    file + ":" + first + ": " + method.getName() + ", " + (last - first + 1));
              }
              return super.visitMethod(method, null);
            }
          }.scan(unit, null);
        });
    assertEquals(List.of(), offenders, "methods over " + LINES_PER_METHOD + " lines");
  }
}
