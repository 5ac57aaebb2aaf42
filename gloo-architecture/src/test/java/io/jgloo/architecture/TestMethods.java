package io.jgloo.architecture;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The test methods of all modules, by simple class name; read from the sources. */
final class TestMethods {

  private static final Set<String> TESTS =
      Set.of("Test", "ParameterizedTest", "RepeatedTest", "TestFactory");

  private final Map<String, Set<String>> methods = new HashMap<>();
  private final Map<String, Set<String>> parents = new HashMap<>();

  static TestMethods of(Path root) throws IOException {
    TestMethods found = new TestMethods();
    List<Path> files = new ArrayList<>();
    for (Path file : SourceTrees.files(root, "Test.java", "Contract.java")) {
      if (file.toString().contains("/src/test/")) {
        files.add(file);
      }
    }
    SourceTrees.parse(files, (unit, positions) -> found.scan(unit));
    return found;
  }

  private void scan(Tree unit) {
    new TreeScanner<Void, Void>() {
      @Override
      public Void visitClass(ClassTree type, Void unused) {
        add(type);
        return super.visitClass(type, null);
      }
    }.scan(unit, null);
  }

  private void add(ClassTree type) {
    if (isDisabled(type.getModifiers())) {
      return;
    }
    String name = type.getSimpleName().toString();
    Set<String> above = parents.computeIfAbsent(name, key -> new HashSet<>());
    type.getImplementsClause().forEach(each -> above.add(simple(each)));
    if (type.getExtendsClause() != null) {
      above.add(simple(type.getExtendsClause()));
    }
    for (Tree member : type.getMembers()) {
      if (member instanceof MethodTree method && isTest(method.getModifiers())) {
        methods.computeIfAbsent(name, key -> new HashSet<>()).add(method.getName().toString());
      }
    }
  }

  private static boolean isTest(ModifiersTree modifiers) {
    return !isDisabled(modifiers)
        && modifiers.getAnnotations().stream().anyMatch(each -> TESTS.contains(name(each)));
  }

  private static boolean isDisabled(ModifiersTree modifiers) {
    return modifiers.getAnnotations().stream().anyMatch(each -> name(each).equals("Disabled"));
  }

  private static String name(AnnotationTree annotation) {
    return simple(annotation.getAnnotationType());
  }

  private static String simple(Tree type) {
    return type.toString().replaceAll("<.*", "").replaceAll(".*\\.", "");
  }

  /** Whether a class has, or inherits, a test of this name that is not disabled. */
  boolean contains(String type, String method) {
    return methods.getOrDefault(type, Set.of()).contains(method)
        || parents.getOrDefault(type, Set.of()).stream().anyMatch(each -> contains(each, method));
  }
}
