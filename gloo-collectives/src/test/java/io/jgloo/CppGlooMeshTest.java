package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.Wire;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Real meshes of Java ranks on Gloo's wires against results computed from the description. */
@Timeout(120)
final class CppGlooMeshTest {
  private static final int MOST_RANKS = 8;
  private static final int BEYOND_A_SEGMENT = 600_011;

  /** All numbers of ranks with -Pfull only; the classic wire differs in how it connects. */
  static List<Arguments> meshes() {
    boolean full = Boolean.getBoolean("jgloo.test.full");
    List<Arguments> all = new ArrayList<>();
    for (int size = 2; size <= MOST_RANKS; size++) {
      if (full || size <= 3 || size == 5 || size == MOST_RANKS) {
        all.add(Arguments.of(Wire.GLOO, size));
      }
      if (full || size <= 3) {
        all.add(Arguments.of(Wire.GLOO_CLASSIC, size));
      }
    }
    return all;
  }

  private static Set<Integer> counts(int size) {
    return new LinkedHashSet<>(List.of(0, 1, size - 1, size, size + 1, 131, 1031, 20_011));
  }

  /** Numbers of many magnitudes, so that each order of adding them rounds otherwise. */
  static float[][] contributions(int size, int count) {
    SplittableRandom random = new SplittableRandom(31L * count + size);
    float[][] x = new float[size][count];
    for (float[] own : x) {
      for (int i = 0; i < count; i++) {
        own[i] = (float) ((random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(7)));
      }
    }
    return x;
  }

  @ParameterizedTest
  @MethodSource("meshes")
  void allreduceHasGloosBits(Wire wire, int size) {
    try (CppGlooMesh mesh = new CppGlooMesh(wire, size)) {
      for (int count : counts(size)) {
        float[][] x = contributions(size, count);
        checkAllreduce(mesh, "glooRing", x);
        checkAllreduce(mesh, "glooBcube", x);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"GLOO, 3", "GLOO, 4", "GLOO_CLASSIC, 2"})
  void severalSegmentsOfEachRank(Wire wire, int size) {
    float[][] x = contributions(size, BEYOND_A_SEGMENT);
    try (CppGlooMesh mesh = new CppGlooMesh(wire, size)) {
      checkAllreduce(mesh, "glooRing", x);
      checkReduce(mesh, x, size - 1);
    }
  }

  private static void checkAllreduce(CppGlooMesh mesh, String name, float[][] x) {
    float[][] expected = CppGlooReference.allreduce(name, x);
    CallOptions options = CallOptions.DEFAULTS.algorithm(name);
    mesh.each(
        (group, rank) -> {
          float[] inPlace = x[rank].clone();
          group.with(options).allreduce(inPlace, ReduceOp.SUM);
          assertBits(expected[rank], inPlace, name + " in place");
          float[] output = new float[inPlace.length];
          group.with(options).allreduce(Payload.of(x[rank]), Payload.of(output), ReduceOp.SUM);
          assertBits(expected[rank], output, name);
        });
  }

  @ParameterizedTest
  @MethodSource("meshes")
  void reduceAtEveryRoot(Wire wire, int size) {
    try (CppGlooMesh mesh = new CppGlooMesh(wire, size)) {
      for (int count : counts(size)) {
        checkReduce(mesh, contributions(size, count), count % size);
      }
    }
  }

  private static void checkReduce(CppGlooMesh mesh, float[][] x, int root) {
    float[] expected = CppGlooReference.reduce(x);
    mesh.each(
        (group, rank) -> {
          float[] own = x[rank].clone();
          group.reduce(own, ReduceOp.SUM, root);
          assertBits(rank == root ? expected : x[rank], own, "reduce");
        });
  }

  @ParameterizedTest
  @MethodSource("meshes")
  void bytesGoWhereTheyBelong(Wire wire, int size) {
    try (CppGlooMesh mesh = new CppGlooMesh(wire, size)) {
      for (int count : List.of(0, 1, 7, 1031)) {
        if (wire == Wire.GLOO || count > 0) { // C++ divides by zero there
          MovedBlocks.check(mesh, size, count);
        }
      }
    }
  }

  @Test
  void tagsKeepCallsOfSeveralThreadsApart() {
    try (CppGlooMesh mesh = new CppGlooMesh(Wire.GLOO, 3)) {
      mesh.each(
          (group, rank) -> {
            List<Work> works = new ArrayList<>();
            long[][] x = new long[20][];
            for (int call = 0; call < x.length; call++) {
              x[call] = new long[] {rank, call};
              ProcessGroup tagged = group.with(CallOptions.DEFAULTS.tag(0xffff_ff00L + call));
              works.add(tagged.async().allreduce(Payload.of(x[call]), ReduceOp.SUM));
            }
            works.forEach(Work::await);
            for (int call = 0; call < x.length; call++) {
              assertArrayEquals(new long[] {3, 3L * call}, x[call]);
            }
          });
    }
  }

  @Test
  void collectivesMissingInGlooAreRefusedByName() {
    try (CppGlooMesh mesh = new CppGlooMesh(Wire.GLOO, 2)) {
      mesh.each(
          (group, rank) -> {
            refused("scan", () -> group.scan(Payload.of(new int[1]), ReduceOp.SUM));
            refused(
                "scatterv",
                () -> group.scatterv(Payload.of(new int[2 - rank]), new long[] {1, 1}, 0));
            refused(
                "reduceScatter", () -> group.reduceScatter(Payload.of(new int[2]), ReduceOp.SUM));
            refused("monitoredBarrier", () -> group.monitoredBarrier(ProcessGroup.DEFAULT_TIMEOUT));
            refused("makes no others", () -> group.newGroup(0, 1));
            ProcessGroup otherwise = group.with(CallOptions.DEFAULTS.algorithm("tree"));
            Throwable failure =
                assertThrows(
                    IllegalArgumentException.class,
                    () -> otherwise.allreduce(new int[1], ReduceOp.SUM));
            assertTrue(failure.getMessage().contains("glooBcube"), failure.getMessage());
            group.barrier();
          });
    }
  }

  private static void refused(String name, Runnable call) {
    Throwable failure = assertThrows(UnsupportedOperationException.class, call::run);
    assertTrue(failure.getMessage().contains(name), failure.getMessage());
  }

  static void assertBits(float[] expected, float[] actual, String what) {
    int[] wanted = new int[expected.length];
    int[] found = new int[actual.length];
    for (int i = 0; i < wanted.length; i++) {
      wanted[i] = Float.floatToRawIntBits(expected[i]);
    }
    for (int i = 0; i < found.length; i++) {
      found[i] = Float.floatToRawIntBits(actual[i]);
    }
    assertArrayEquals(wanted, found, what + " of " + expected.length);
  }
}
