package io.jgloo.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The sizes of CONTRIBUTING.md, measured on the sources. */
@Timeout(120)
final class TidinessTest {

  private static final int LINES_PER_FILE = 500;
  private static final int LINES_PER_METHOD = 50;

  /** Maven runs the tests of a module in its folder. */
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  @Test
  void noFileIsTooLong() throws IOException {
    List<String> offenders = new ArrayList<>();
    for (Path file : sources(".java", ".c", ".h", ".inc")) {
      try (Stream<String> lines = Files.lines(file)) {
        long count = lines.count();
        if (count > LINES_PER_FILE) {
          offenders.add(ROOT.relativize(file) + ": " + count + " lines");
        }
      }
    }
    assertEquals(List.of(), offenders, "files over " + LINES_PER_FILE + " lines");
  }

  @Test
  void noMethodIsTooLong() throws IOException {
    List<String> offenders = new ArrayList<>();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  files,
                  null,
                  null,
                  null,
                  files.getJavaFileObjectsFromPaths(sources(".java")));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        Path file = ROOT.relativize(Path.of(unit.getSourceFile().toUri()));
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
      }
    }
    assertEquals(List.of(), offenders, "methods over " + LINES_PER_METHOD + " lines");
  }

  private static List<Path> sources(String... suffixes) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : (Iterable<Path>) modules::iterator) {
        Path source = module.resolve("src");
        if (Files.isDirectory(source)) {
          collect(source, suffixes, found);
        }
      }
    }
    assertTrue(found.size() > 10, "sources not found under " + ROOT);
    return found;
  }

  private static void collect(Path folder, String[] suffixes, List<Path> found) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      files
          .filter(file -> Stream.of(suffixes).anyMatch(file.toString()::endsWith))
          .forEach(found::add);
    }
  }
}
