package io.jgloo.bench.foreign;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Ranks of ours in one mesh with C++ Gloo: every output of every rank, ours and theirs, is to the
 * byte what a job of C++ ranks alone leaves.
 *
 * <p>The short form takes some sizes and placements; {@code -Djgloo.interop=full} takes all.
 */
@Timeout(600)
final class MixedMeshSystemTest {
  private static final Logger LOG = Logger.getLogger(MixedMeshSystemTest.class.getName());
  private static final boolean FULL = "full".equals(System.getProperty("jgloo.interop"));

  /** Sizes, and which ranks are ours in each of the mixed jobs. */
  private record Mesh(String wire, int size, List<Set<Integer>> ours) {}

  static Stream<Mesh> meshes() {
    return Stream.of("gloo-classic", "gloo").flatMap(MixedMeshSystemTest::meshes);
  }

  private static Stream<Mesh> meshes(String wire) {
    if (!FULL) {
      return Stream.of(
          new Mesh(wire, 2, List.of(Set.of(0), Set.of(1))),
          wire.equals("gloo")
              ? new Mesh(wire, 5, List.of(Set.of(0, 2, 3)))
              : new Mesh(wire, 3, List.of(Set.of(1))));
    }
    List<Mesh> all = new ArrayList<>();
    for (int size = 2; size <= 8; size++) {
      List<Set<Integer>> places = new ArrayList<>(List.of(Set.of(0), Set.of(size - 1)));
      if (size > 2) {
        places.add(Set.of(size / 2));
        places.add(Set.of(0, size - 1));
      }
      if (size > 3) {
        places.add(Set.of(1, 2));
        places.add(Set.of(0, 2, 3));
      }
      all.add(new Mesh(wire, size, places));
    }
    return all.stream();
  }

  @BeforeAll
  @Timeout(CppDriver.BUILD_SECONDS)
  static void buildDriver() throws Exception {
    CppDriver.make();
  }

  @ParameterizedTest
  @MethodSource("meshes")
  void everyRankEndsWithWhatCppAloneEndsWith(Mesh mesh, @TempDir Path folder) throws Exception {
    Path driver = CppDriver.of(mesh.wire());
    List<String> plan = Plans.of(mesh.size(), mesh.wire().equals("gloo-classic"), FULL);
    MixedJob job = MixedJob.of(driver, mesh.wire(), folder);
    Path expected = job.run(mesh.size(), Set.of(), plan);
    for (Set<Integer> ours : mesh.ours()) {
      Path actual = job.run(mesh.size(), ours, plan);
      int compared = Dumps.assertSame(expected, actual, mesh.size(), mesh + " " + ours);
      assertTrue(compared >= plan.size() * mesh.size(), mesh::toString);
      LOG.info(mesh.wire() + ", " + mesh.size() + " ranks, ours " + ours + ": " + compared);
    }
  }
}
