package io.jgloo.collectives.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.library.LibraryFile;
import java.io.File;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The library of the other architecture gives the bits of the scalar reference, under an emulator.
 */
@Timeout(120)
final class EmulatedKernelTest {

  /** The platforms with a library, and the other one of each. */
  private static final Map<String, String> OTHER =
      Map.of("linux-x86_64", "aarch64", "linux-aarch64", "x86_64");

  @TempDir static Path directory;

  private static Optional<String> missing;
  private static EmulatedKernels kernels;

  @BeforeAll
  static void startTheEmulator() throws Exception {
    String other = OTHER.get(LibraryFile.platform(System.getProperties()));
    missing = missing(other);
    if (missing.isPresent()) {
      return;
    }
    Path library = directory.resolve("libjgloo.so");
    String resource = "/META-INF/native/linux-" + other + "/libjgloo.so";
    try (InputStream packed = LibraryFile.class.getResourceAsStream(resource)) {
      assertNotNull(packed, () -> compiler(other) + " is installed, but there is no " + resource);
      Files.copy(packed, library);
    }
    Path runner = directory.resolve("kernel-runner");
    make("kernel-runner", "CC=" + compiler(other), "RUNNER=" + runner);
    kernels =
        new EmulatedKernels(
            Stream.of("qemu-" + other, "-L", headers(other), runner, library)
                .map(Object::toString)
                .toList());
  }

  /** What this machine lacks, if anything. */
  private static Optional<String> missing(String other) {
    if (other == null) {
      return Optional.of("this platform has no cross-built library");
    }
    if (!Files.isDirectory(headers(other))) {
      return Optional.of("no C library in " + headers(other));
    }
    return Stream.of(compiler(other), "make", "qemu-" + other)
        .filter(program -> !isInstalled(program))
        .map(program -> program + " is not installed")
        .findFirst();
  }

  private static String compiler(String other) {
    return other + "-linux-gnu-gcc";
  }

  private static Path headers(String other) {
    return Path.of("/usr", other + "-linux-gnu");
  }

  @BeforeEach
  void requireTheEmulator() {
    assumeTrue(missing.isEmpty(), () -> missing.orElseThrow());
  }

  @AfterAll
  static void stopTheEmulator() {
    if (kernels != null) {
      kernels.close();
    }
  }

  static Stream<Arguments> combinations() {
    return KernelTest.combinations();
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("combinations")
  void emulatedKernelGivesTheReferenceBits(DataType type, ReduceOp op) {
    KernelTest.verifyAgainstReference(type, op, kernels.loops(type, op));
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT16", "BFLOAT16"})
  void every16BitFloatIsRoundedToNearestEven(DataType type) {
    for (ReduceOp op : List.of(ReduceOp.SUM, ReduceOp.PRODUCT, ReduceOp.MIN, ReduceOp.MAX)) {
      KernelTest.verifyRounding(type, op, kernels.loops(type, op));
    }
  }

  private static boolean isInstalled(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
  }

  private static void make(String... arguments) throws Exception {
    Path output = directory.resolve("make");
    Process process =
        new ProcessBuilder(
                Stream.concat(
                        Stream.of("make", "-s", "-C", sources().toString()), Stream.of(arguments))
                    .toList())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertTrue(process.waitFor(100, TimeUnit.SECONDS), "the compiler does not end");
    assertEquals(0, process.exitValue(), Files.readString(output));
  }

  /** The folder native/, from a module's folder or from the root. */
  private static Path sources() {
    Path here = Path.of("native").toAbsolutePath();
    return Files.isDirectory(here) ? here : Path.of("../native").toAbsolutePath();
  }
}
