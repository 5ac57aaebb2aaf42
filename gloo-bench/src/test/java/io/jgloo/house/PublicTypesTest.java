package io.jgloo.house;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The packages that the module io.jgloo exports hold the public types listed here, and no others.
 */
@Timeout(60)
final class PublicTypesTest {

  private static final Path CLASSES =
      Path.of("").toAbsolutePath().getParent().resolve("gloo-collectives/target/classes");

  /** To be extended on purpose: what is public here is kept for users. */
  private static final Map<String, String> ALLOWED =
      Map.of(
          "io.jgloo",
          "CallOptions GroupBuilder OpenRank Payload ProcessGroup Work",
          "io.jgloo.gradient",
          "GradientReducer",
          "io.jgloo.collectives",
          "Algorithm AlgorithmProvider Collective Cost CostModel DataType FloatBinaryOperator Order"
              + " Partition Program Range ReduceFunction ReduceOp Schedule Shape Space",
          "io.jgloo.collectives.verify",
          "BrokenScheduleException ScheduleDrawing Verifier");

  @Test
  void exportedPackagesHoldTheListedTypes() throws IOException, ClassNotFoundException {
    Map<String, Set<String>> expected = new TreeMap<>();
    ALLOWED.forEach((name, types) -> expected.put(name, new TreeSet<>(List.of(types.split(" ")))));
    Map<String, Set<String>> found = new TreeMap<>();
    for (ModuleDescriptor.Exports exports : module().exports()) {
      found.put(exports.source(), publicTypes(exports.source()));
    }
    assertEquals(expected, found);
  }

  private static ModuleDescriptor module() {
    return ModuleFinder.of(CLASSES).find("io.jgloo").orElseThrow().descriptor();
  }

  private static Set<String> publicTypes(String name) throws IOException, ClassNotFoundException {
    Set<String> types = new TreeSet<>();
    try (Stream<Path> files = Files.list(CLASSES.resolve(name.replace('.', '/')))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String type = file.getFileName().toString().replace(".class", "");
        boolean topLevel = Files.isRegularFile(file) && !type.matches(".*\\$.*|package-info");
        if (topLevel && isPublic(name + "." + type)) {
          types.add(type);
        }
      }
    }
    return types;
  }

  private static boolean isPublic(String type) throws ClassNotFoundException {
    ClassLoader loader = PublicTypesTest.class.getClassLoader();
    return Modifier.isPublic(Class.forName(type, false, loader).getModifiers());
  }
}
