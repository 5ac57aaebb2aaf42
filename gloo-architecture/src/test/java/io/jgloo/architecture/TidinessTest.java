package io.jgloo.architecture;

import static java.util.regex.Pattern.DOTALL;
import static java.util.regex.Pattern.MULTILINE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The sizes of CONTRIBUTING.md, measured on the sources. */
@Timeout(300)
final class TidinessTest {

  private static final int LINES_PER_FILE = 500;
  private static final int LINES_WITHOUT_REASON = 400;
  private static final int LINES_PER_METHOD = 50;
  private static final String REASON = "In one file because ";

  /** What precedes the type that a file is named after; its last comment is the class comment. */
  private static final Pattern BEFORE_TYPE =
      Pattern.compile("\\A(.*?)^[a-z -]*(?:class|interface|record|enum) ", DOTALL | MULTILINE);

  /**
   * Longer on purpose: all calls of a group are in one class, where users find them in one place of
   * the Javadoc; most of it is generated from the rest.
   */
  private static final Path FACADE =
      Path.of("gloo-collectives/src/main/java/io/jgloo/ProcessGroup.java");

  @TempDir private Path folder;

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
  void longFiles_sayWhyInTheClassComment() throws IOException {
    assertEquals(List.of(), withoutReason(OwnClasses.ROOT));
  }

  @Test
  void plantedLongFiles_areFound() throws IOException {
    plant("A", "/** Is long. */", 401);
    plant("B", "/** Is long.\n *\n * <p>In one file\n * because its lines are blank. */", 401);
    plant("C", "/** Has 400 lines. */", 400);
    plant("D", "// In one file because this is no class comment.", 401);
    assertEquals(
        List.of("module/src/main/A.java: 401 lines", "module/src/main/D.java: 401 lines"),
        withoutReason(folder));
  }

  private void plant(String type, String comment, int lines) throws IOException {
    String head = "package p;\n\nimport q.R;\n\n" + comment + "\nfinal class " + type + " {\n";
    String rest = "\n".repeat(lines - (int) head.lines().count() - 1);
    Path main = Files.createDirectories(folder.resolve("module/src/main"));
    Files.writeString(main.resolve(type + ".java"), head + rest + "}\n");
  }

  /** Files of programs and libraries that are long and whose class comment does not say why. */
  private static List<String> withoutReason(Path root) throws IOException {
    List<String> offenders = new ArrayList<>();
    for (Path file : SourceTrees.files(root, ".java")) {
      String text = Files.readString(file);
      long count = text.lines().count();
      if (file.toString().contains("/src/main/")
          && count > LINES_WITHOUT_REASON
          && !classComment(text).contains(REASON)) {
        offenders.add(root.relativize(file) + ": " + count + " lines");
      }
    }
    offenders.sort(null);
    return offenders;
  }

  /** The class comment in one line; empty if there is none. */
  private static String classComment(String text) {
    Matcher before = BEFORE_TYPE.matcher(text);
    int start = before.find() ? before.group(1).lastIndexOf("/**") : -1;
    return start < 0 ? "" : before.group(1).substring(start).replaceAll("\\s+(\\*\\s+)?", " ");
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
