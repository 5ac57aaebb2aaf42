package io.jgloo.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Decoders accept or refuse any bytes, and throw nothing but their refusal.
 *
 * <p>The ordinary run decodes the samples, the corpus (resources {@code fuzz/NAME}) and changed
 * copies of both. With {@code -Pfuzz -Dfuzz.seconds=N} Jazzer searches for N seconds with each
 * target, guided by coverage; what it finds is written to {@code target/fuzz/NAME}.
 */
public abstract class FuzzContract {

  private static final int CHANGED = 3_000;
  private static final Path CORPORA = Path.of("src/test/resources/fuzz");
  private static final Path OUTPUT = Path.of("target/fuzz");

  /** They break Netty's queues in Jazzer 0.30. */
  private static final String UNSAFE_HOOKS =
      "com.code_intelligence.jazzer.sanitizers.UnsafeSanitizer";

  /** Values that lengths and counts are tried with. */
  private static final long[] AWKWARD = {
    0,
    1,
    -1,
    127,
    128,
    255,
    256,
    65535,
    65536,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };

  protected abstract List<FuzzTarget> targets();

  @TestFactory
  Stream<DynamicTest> anyBytesAreDecodedOrRefused() {
    return targets().stream()
        .map(target -> DynamicTest.dynamicTest(target.name(), () -> decodeMany(target)));
  }

  private static void decodeMany(FuzzTarget target) throws Exception {
    for (byte[] sample : target.samples()) {
      assertTrue(target.accepts(sample), "a sample is refused");
    }
    List<byte[]> corpus = corpus(target.name());
    assertFalse(corpus.isEmpty(), () -> "no inputs in " + CORPORA.resolve(target.name()));
    List<byte[]> inputs = new ArrayList<>(target.samples());
    inputs.addAll(corpus);
    inputs.add(new byte[0]);
    SplittableRandom random = new SplittableRandom(7);
    for (byte[] input : List.copyOf(inputs)) {
      decode(target, input);
      for (int i = 0; i < CHANGED / inputs.size(); i++) {
        decode(target, changed(input, random));
      }
    }
  }

  private static void decode(FuzzTarget target, byte[] input) {
    try {
      target.accepts(input);
    } catch (Throwable e) {
      String hex = java.util.HexFormat.of().formatHex(input);
      throw new AssertionError(target.name() + " with the input " + hex, e);
    }
  }

  private static byte[] changed(byte[] input, SplittableRandom random) {
    byte[] bytes = input.clone();
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      int at = random.nextInt(bytes.length + 1);
      int left = bytes.length - at;
      switch (random.nextInt(6)) {
        case 0 -> bytes = Arrays.copyOf(bytes, at);
        case 1 -> bytes = Arrays.copyOf(bytes, bytes.length + random.nextInt(40));
        case 2 -> put(bytes, at, left, random.nextLong(), random.nextInt(9));
        case 3 -> put(bytes, at, left, AWKWARD[random.nextInt(AWKWARD.length)], Integer.BYTES);
        case 4 -> put(bytes, at, left, AWKWARD[random.nextInt(AWKWARD.length)], Long.BYTES);
        default -> put(bytes, at, left, random.nextLong(), 1);
      }
    }
    return bytes;
  }

  private static void put(byte[] bytes, int at, int left, long value, int width) {
    byte[] word = ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    int count = Math.min(left, width);
    System.arraycopy(word, Long.BYTES - Math.min(width, Long.BYTES), bytes, at, Math.min(count, 8));
  }

  private static List<byte[]> corpus(String name) throws IOException {
    Path folder = CORPORA.resolve(name);
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    List<byte[]> inputs = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        inputs.add(Files.readAllBytes(file));
      }
    }
    return inputs;
  }

  @TestFactory
  @EnabledIfSystemProperty(
      named = "jgloo.fuzz.seconds",
      matches = "[1-9][0-9]*",
      disabledReason = "needs -Pfuzz -Dfuzz.seconds=N")
  Stream<DynamicTest> aGuidedSearchFindsNothing() {
    return targets().stream()
        .map(target -> DynamicTest.dynamicTest(target.name(), () -> search(target)));
  }

  private void search(FuzzTarget target) throws Exception {
    Path output = Files.createDirectories(OUTPUT.resolve(target.name()));
    Path samples = Files.createDirectories(output.resolve("samples"));
    for (int i = 0; i < target.samples().size(); i++) {
      Files.write(samples.resolve("sample-" + i), target.samples().get(i));
    }
    Path found = Files.createDirectories(output.resolve("found"));
    Path log = output.resolve("log.txt");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + JazzerTarget.class.getName(),
                "--target_args=" + getClass().getName() + " " + target.name(),
                "--instrumentation_includes=io.jgloo.**",
                "--disabled_hooks=" + UNSAFE_HOOKS,
                "--reproducer_path=" + output,
                "-artifact_prefix=" + output + "/",
                "-max_total_time=" + Integer.getInteger("jgloo.fuzz.seconds"),
                "-max_len=4096",
                found.toString(),
                samples.toString()));
    Path corpus = CORPORA.resolve(target.name());
    if (Files.isDirectory(corpus)) {
      command.add(corpus.toString());
    }
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      int exit = process.waitFor();
      List<String> lines = Files.readAllLines(log);
      String last = String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
      assertEquals(0, exit, () -> "see " + log + "\n" + last);
      lines.stream()
          .filter(line -> line.contains("DONE"))
          .forEach(line -> System.out.println("fuzz: " + target.name() + ": " + line));
    } finally {
      process.destroyForcibly();
    }
  }
}
