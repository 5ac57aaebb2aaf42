package io.jgloo.house;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The packages that two modules export to users hold the public types listed here, no others. */
@Timeout(60)
final class PublicTypesTest {

  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  /** By module folder and package. To be extended on purpose: what is public is kept for users. */
  private static final Map<String, Map<String, String>> ALLOWED =
      Map.of(
          "gloo-transport",
          Map.of(
              "io.jgloo.transport",
              "AbortedException Address Blockers Buffer Clock ClosedException CompletionQueue Device"
                  + " DeviceOptions DeviceProvider Devices FailureContext FailureScope"
                  + " GlooException InterruptedOperationException Liveness Membership Mesh"
                  + " MeshConnectException MismatchException OneSided OperationTimeoutException"
                  + " Pair PeerDepartedException PeerLostException ProtocolException Reduction"
                  + " Registration RemoteKey Request Slot UnavailableException Wire",
              "io.jgloo.transport.memory",
              "Memory OrderedMemory",
              "io.jgloo.transport.sim",
              "Faults LinkModel RankCrash RankFailure RankProgram SimProvider SimWorld"),
          "gloo-collectives",
          Map.of(
              "io.jgloo",
              "CallOptions GroupBuilder OpenRank Payload ProcessGroup Work",
              "io.jgloo.gradient",
              "GradientReducer",
              "io.jgloo.collectives",
              "Algorithm AlgorithmProvider Collective Cost CostModel DataType FloatBinaryOperator"
                  + " Order Partition Program Range ReduceFunction ReduceOp Schedule Shape Space",
              "io.jgloo.collectives.verify",
              "BrokenScheduleException ScheduleDrawing Verifier"));

  @ParameterizedTest
  @ValueSource(strings = {"gloo-transport", "gloo-collectives"})
  void exportedPackagesHoldTheListedTypes(String folder)
      throws IOException, ClassNotFoundException {
    Path classes = ROOT.resolve(folder).resolve("target/classes");
    Map<String, Set<String>> expected = new TreeMap<>();
    ALLOWED
        .get(folder)
        .forEach((name, types) -> expected.put(name, new TreeSet<>(List.of(types.split(" ")))));
    Map<String, Set<String>> found = new TreeMap<>();
    for (ModuleReference module : ModuleFinder.of(classes).findAll()) {
      for (ModuleDescriptor.Exports exports : module.descriptor().exports()) {
        if (!exports.isQualified()) {
          found.put(exports.source(), publicTypes(classes, exports.source()));
        }
      }
    }
    assertEquals(expected, found);
  }

  private static Set<String> publicTypes(Path classes, String name)
      throws IOException, ClassNotFoundException {
    Set<String> types = new TreeSet<>();
    try (Stream<Path> files = Files.list(classes.resolve(name.replace('.', '/')))) {
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
