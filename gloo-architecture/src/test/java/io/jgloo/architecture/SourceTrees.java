package io.jgloo.architecture;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The source files of a tree of modules, and what is declared in them. */
final class SourceTrees {

  /** Is given each file, parsed. */
  interface Reader {
    void read(CompilationUnitTree unit, SourcePositions positions);
  }

  private SourceTrees() {}

  /** The files of all modules' src folders whose names end so. */
  static List<Path> files(Path root, String... suffixes) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> folders = Files.walk(root, 3)) {
      for (Path source : (Iterable<Path>) folders.filter(SourceTrees::isSource)::iterator) {
        collect(source, suffixes, found);
      }
    }
    assertTrue(!found.isEmpty(), "no sources under " + root);
    return found;
  }

  /** Whether it is the src folder of a module, or of one in a group of modules. */
  private static boolean isSource(Path folder) {
    return folder.endsWith("src") && !folder.toString().contains("/target/");
  }

  private static void collect(Path folder, String[] suffixes, List<Path> found) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      files
          .filter(file -> Stream.of(suffixes).anyMatch(file.toString()::endsWith))
          .forEach(found::add);
    }
  }

  /** Parses Java files, without resolving what they use. */
  static void parse(Collection<Path> sources, Reader reader) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        reader.read(unit, positions);
      }
    }
  }

  /** The names of the types, methods and variables that a file declares. */
  static Set<String> declaredNames(CompilationUnitTree unit) {
    Set<String> names = new TreeSet<>();
    if (unit.getPackageName() != null) {
      names.addAll(List.of(unit.getPackageName().toString().split("\\.", -1)));
    }
    new TreeScanner<Void, Void>() {
      @Override
      public Void visitClass(ClassTree type, Void unused) {
        names.add(type.getSimpleName().toString());
        return super.visitClass(type, null);
      }

      @Override
      public Void visitMethod(MethodTree method, Void unused) {
        names.add(method.getName().toString());
        return super.visitMethod(method, null);
      }

      @Override
      public Void visitVariable(VariableTree variable, Void unused) {
        names.add(variable.getName().toString());
        return super.visitVariable(variable, null);
      }
    }.scan(unit, null);
    return names;
  }
}
