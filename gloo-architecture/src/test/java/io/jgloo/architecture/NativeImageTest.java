package io.jgloo.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the libraries use by name, reflection and JNI is in the reachability metadata of their jars,
 * which GraalVM reads; there is no native-image here to try it.
 */
@Tag("full")
@Timeout(180)
final class NativeImageTest {

  /** Uses what its caller names: an application has metadata of its own. */
  private static final Map<String, String> OF_THE_APPLICATION =
      Map.of("io.jgloo.rpc.codec.RecordCodec", "accessors and constructors of records");

  private static final Pattern BY_NAME =
      Pattern.compile(
          "java\\.lang\\.Class(Loader)?\\.(forName|loadClass|get(Declared)?(Method|Field|"
              + "Constructor)s?|getRecordComponents|getResource(AsStream)?)"
              + "|java\\.lang\\.invoke\\.MethodHandles\\$Lookup\\.(find|unreflect).*"
              + "|java\\.lang\\.reflect\\.Proxy\\.newProxyInstance");

  private static final Set<String> MEMBERS =
      Set.of("getMethod", "getDeclaredMethod", "getField", "getDeclaredField");
  private static final Pattern HANDLES = Pattern.compile("find(Virtual|Static)");
  private static final Pattern TYPE =
      Pattern.compile("(java|sun|io\\.netty)(\\.[a-z]\\w*)*\\.[A-Z][\\w$]*");

  /** Since JDK 19 to 22: what of the metadata cannot be looked at on this JDK. */
  private static final Set<String> TOO_NEW =
      Runtime.version().feature() >= 22
          ? Set.of()
          : Set.of(
              "java.lang.foreign.",
              "java.lang.Thread.isVirtual",
              "java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor");

  private static final ClassLoader LOADER = NativeImageTest.class.getClassLoader();

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"gloo-transport", "gloo-rendezvous", "gloo-collectives", "gloo-rpc"})
  void metadata_hasTheFormatAndNamesWhatExists(String artifact) throws IOException {
    ReachabilityMetadata metadata = metadata(artifact);
    assertEquals(List.of(), metadata.formatProblems());
    assertEquals(List.of(), metadata.missing(LOADER, TOO_NEW));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"gloo-transport", "gloo-rendezvous", "gloo-collectives", "gloo-rpc", "gloo-ps"})
  void allThatIsUsedByName_isInTheMetadata(String artifact) throws IOException {
    Path module = OwnClasses.ROOT.resolve(artifact);
    JavaClasses classes = new ClassFileImporter().importPath(module.resolve("target/classes"));
    assertEquals(Set.of(), uncovered(classes, module.resolve("src/main/java"), metadata(artifact)));
  }

  /** Those of ForeignHandles, malloc and free. */
  @Test
  void functionsThatJavaLangForeignCalls_areInTheMetadata() throws IOException {
    assertEquals(Set.of("jlong(jlong)", "void(jlong)"), metadata("gloo-transport").downcalls());
  }

  /** JNA's library is in its jar, ours in the class folder where a compiler was found. */
  @Test
  void resources_exist() throws IOException {
    Path classes = OwnClasses.ROOT.resolve("gloo-transport/target/classes");
    assumeTrue(Files.isDirectory(classes.resolve("META-INF/native")), "no C compiler");
    for (String glob : metadata("gloo-transport").resources()) {
      PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
      try (Stream<Path> files = Files.walk(classes)) {
        assertTrue(
            LOADER.getResource(glob) != null
                || files.anyMatch(file -> matcher.matches(classes.relativize(file))),
            glob);
      }
    }
  }

  @Test
  void plantedOmissions_areFound() throws IOException {
    String source =
        "package p; class A { static final String P = \"java.util.\"; static native void c();"
            + " Object a() throws Exception { return Class.forName(P + \"Timer\"); }"
            + " Object b(Class<?> t) throws Exception { return t.getMethod(\"purge\"); } }";
    Path classes = Planted.compile(folder, source);
    JavaClasses planted = new ClassFileImporter().importPath(classes);
    Path sources = folder.resolve("sources");
    assertEquals(
        Set.of("p.A: native methods", "p.A: no entry", "p.A: java.util.Timer", "p.A: purge"),
        uncovered(planted, sources, new ReachabilityMetadata("{}")));
    String timer =
        "{'reflection': [{'condition': {'typeReached': 'p.A'}, 'type': 'java.util.Timer',"
            + " 'methods': [{'name': 'purge', 'parameterTypes': []}]}, {'condition':"
            + " {'typeReached': 'p.A'}, 'type': 'p.A', 'jniAccessible': true,"
            + " 'allDeclaredMethods': true}]}";
    assertEquals(Set.of(), uncovered(planted, sources, planted(timer)));
    String otherClass = timer.replace("'typeReached': 'p.A'", "'typeReached': 'p.B'");
    assertEquals(
        Set.of("p.A: no entry", "p.A: java.util.Timer", "p.A: purge"),
        uncovered(planted, sources, planted(otherClass)));
  }

  @Test
  void plantedMistakesOfFormatAndNames_areFound() throws IOException {
    ReachabilityMetadata wrong =
        planted(
            "{'jni': [], 'reflection': [{'name': 'java.util.Timer'}, {'type': 'java.util.Timmer'},"
                + " {'type': 'java.util.Timer', 'jniAccessible': 1, 'fields': [{'name': 'f'}],"
                + " 'methods': [{'name': 'purge', 'parameterTypes': 'int'}]}]}");
    assertEquals(4, wrong.formatProblems().size(), wrong.formatProblems().toString());
    ReachabilityMetadata overload =
        planted(
            "{'reflection': [{'condition': {'typeReached': 'java.util.Timer'}, 'type':"
                + " 'java.util.Timer', 'methods': [{'name': 'purge', 'parameterTypes':"
                + " ['int[]']}]}]}");
    assertEquals(List.of(), overload.formatProblems());
    assertEquals(1, overload.missing(LOADER, Set.of()).size());
    assertTrue(wrong.missing(LOADER, Set.of()).toString().contains("Timmer"));
  }

  private static ReachabilityMetadata planted(String text) throws IOException {
    return new ReachabilityMetadata(text.replace('\'', '"'));
  }

  /** Of a module's sources; empty if it has none. */
  private static ReachabilityMetadata metadata(String artifact) throws IOException {
    Path file =
        OwnClasses.ROOT
            .resolve(artifact)
            .resolve("src/main/resources/META-INF/native-image/io.jgloo")
            .resolve(artifact)
            .resolve("reachability-metadata.json");
    return new ReachabilityMetadata(Files.exists(file) ? Files.readString(file) : "{}");
  }

  /** What a native image of these classes would lack. */
  private static Set<String> uncovered(
      JavaClasses classes, Path sources, ReachabilityMetadata metadata) throws IOException {
    Set<String> uncovered = new TreeSet<>();
    Set<String> users = new TreeSet<>();
    for (JavaClass type : classes) {
      if (hasNatives(type) && !metadata.bindsNatives(type.getName())) {
        uncovered.add(type.getName() + ": native methods");
      }
      if (usesNames(type)) {
        users.add(type.getName().replaceFirst("\\$.*", ""));
      }
    }
    users.removeAll(OF_THE_APPLICATION.keySet());
    for (String user : users) {
      Set<String> usable = metadata.usableBy(user, LOADER);
      if (usable.isEmpty()) {
        uncovered.add(user + ": no entry");
      }
      Path file = sources.resolve(user.replace('.', '/') + ".java");
      SourceTrees.parse(
          List.of(file),
          (unit, positions) ->
              names(unit).stream()
                  .filter(name -> !usable.contains(name) && !hidden(name, usable))
                  .forEach(name -> uncovered.add(user + ": " + name)));
    }
    return uncovered;
  }

  /** A member of a type that this JDK lacks, all of whose members are registered. */
  private static boolean hidden(String name, Set<String> usable) {
    return !name.contains(".")
        && !TOO_NEW.isEmpty()
        && usable.stream().anyMatch(type -> type.startsWith("java.lang.foreign."));
  }

  private static boolean hasNatives(JavaClass type) {
    return type.getMethods().stream()
        .map(JavaMethod::getModifiers)
        .anyMatch(modifiers -> modifiers.contains(JavaModifier.NATIVE));
  }

  private static boolean usesNames(JavaClass type) {
    return type.getMethodCallsFromSelf().stream()
        .map(call -> call.getTargetOwner().getName() + "." + call.getName())
        .anyMatch(called -> BY_NAME.matcher(called).matches());
  }

  /** The literal names of classes, and of members that are looked up. */
  private static Set<String> names(CompilationUnitTree unit) {
    Map<String, String> constants = new HashMap<>();
    Set<String> names = new TreeSet<>();
    new TreeScanner<Void, Void>() {
      @Override
      public Void visitVariable(VariableTree variable, Void unused) {
        if (variable.getInitializer() instanceof LiteralTree literal
            && literal.getValue() instanceof String text) {
          constants.put(variable.getName().toString(), text);
        }
        return super.visitVariable(variable, null);
      }
    }.scan(unit, null);
    new TreeScanner<Void, Void>() {
      @Override
      public Void visitLiteral(LiteralTree literal, Void unused) {
        addType(text(literal, constants), names);
        return super.visitLiteral(literal, null);
      }

      @Override
      public Void visitBinary(BinaryTree sum, Void unused) {
        addType(text(sum, constants), names);
        return super.visitBinary(sum, null);
      }

      @Override
      public Void visitMethodInvocation(MethodInvocationTree call, Void unused) {
        String method = name(call);
        if (MEMBERS.contains(method) || HANDLES.matcher(method).matches()) {
          call.getArguments().stream()
              .map(argument -> text(argument, constants))
              .filter(text -> !text.isEmpty())
              .forEach(names::add);
        }
        return super.visitMethodInvocation(call, null);
      }
    }.scan(unit, null);
    return names;
  }

  private static void addType(String text, Set<String> names) {
    if (TYPE.matcher(text).matches()) {
      names.add(text);
    }
  }

  private static String name(MethodInvocationTree call) {
    ExpressionTree method = call.getMethodSelect();
    return method instanceof MemberSelectTree select
        ? select.getIdentifier().toString()
        : method.toString();
  }

  /** The value of a constant expression of texts, or an empty one. */
  private static String text(ExpressionTree expression, Map<String, String> constants) {
    if (expression instanceof LiteralTree literal) {
      return literal.getValue() instanceof String text ? text : "";
    }
    if (expression instanceof IdentifierTree name) {
      return constants.getOrDefault(name.getName().toString(), "");
    }
    return expression instanceof BinaryTree sum
        ? text(sum.getLeftOperand(), constants) + text(sum.getRightOperand(), constants)
        : "";
  }
}
