package io.jgloo.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.ProcessGroup;
import io.jgloo.bench.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The archive of classes that the launch scripts make and use. */
@Timeout(600)
final class ClassSharingSystemTest {
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
  private static final String SHARED = "source: shared objects file (top)";

  /** Makes or finds the archive in $FOLDER, then runs a rank. */
  private static final String SCRIPT =
      "set -euo pipefail; source ./share.bash; flags=($FLAGS);"
          + " share_classes \"$FOLDER\" \"$VERSION\"; exec \"$java\" \"${flags[@]}\""
          + " -Xlog:class+load:file=\"$LOADED\" -cp \"$path\" io.jgloo.bench.Main"
          + " allreduce --ranks 1 --sizes 4 --iters 1 --warmup 1 --threads";

  @TempDir Path folder;

  private record Result(int code, String out, String err, List<String> loaded) {

    /** Where a class was loaded from. */
    String source(Class<?> type) {
      return loaded.stream()
          .filter(line -> line.contains(" " + type.getName() + " "))
          .findFirst()
          .orElseThrow(() -> new AssertionError(type + " was not loaded: " + err));
    }
  }

  @Tag("full")
  @Test
  void ranksTakeTheirClassesFromAnArchive_madeOnceForAVersion() throws Exception {
    Path archives = folder.resolve("shared");
    Result first = run(JAVA, archives, "1");
    assertEquals(ExitCode.VERIFIED, first.code(), first.err());
    assertTrue(first.err().contains("making an archive of classes"), first.err());
    assertTrue(first.source(Main.class).endsWith(SHARED), first.source(Main.class));
    assertTrue(first.source(ProcessGroup.class).endsWith(SHARED), first.source(ProcessGroup.class));

    Result second = run(JAVA, archives, "1");
    assertEquals(ExitCode.VERIFIED, second.code(), second.err());
    assertEquals("", second.err());
    assertTrue(second.source(Main.class).endsWith(SHARED), second.source(Main.class));
    assertEquals(1, children(archives));

    Result changed = run(JAVA, archives, "2");
    assertEquals(ExitCode.VERIFIED, changed.code(), changed.err());
    assertEquals(2, children(archives));
  }

  @Test
  void noArchive_isReportedAndNotNeeded() throws Exception {
    Path archives = Files.createFile(folder.resolve("file"));
    Result result = run(JAVA, archives, "1");
    assertEquals(ExitCode.VERIFIED, result.code(), result.err());
    assertTrue(result.err().contains("starts without class data sharing"), result.err());
    assertTrue(!result.source(Main.class).endsWith(SHARED), result.source(Main.class));
  }

  @Tag("full")
  @Test
  void failedArchive_isReportedAtEachStart() throws Exception {
    Path java = Files.createDirectories(folder.resolve("jre/bin")).resolve("java"); // without jar
    Files.writeString(java, "#!/bin/sh\nexec '" + JAVA + "' \"$@\"\n", UTF_8);
    assertTrue(java.toFile().setExecutable(true));
    for (int start = 0; start < 2; start++) {
      Result result = run(java, folder.resolve("shared"), "1");
      assertEquals(ExitCode.VERIFIED, result.code(), result.err());
      assertTrue(result.err().contains("starts without class data sharing: see"), result.err());
      assertEquals(start == 0, result.err().contains("making an archive"), result.err());
    }
  }

  private static long children(Path folder) throws IOException {
    try (Stream<Path> children = Files.list(folder)) {
      return children.count();
    }
  }

  private Result run(Path java, Path archives, String version) throws Exception {
    Path out = Files.createTempFile(folder, "out", ".txt");
    Path err = Files.createTempFile(folder, "err", ".txt");
    Path loaded = Files.createTempFile(folder, "loaded", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", SCRIPT)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    Map<String, String> environment = builder.environment();
    boolean asks = Runtime.version().feature() >= 22; // as the launch script does
    environment.put(
        "FLAGS", "-XX:+UseSerialGC" + (asks ? " --enable-native-access=ALL-UNNAMED" : ""));
    environment.put("java", java.toString());
    environment.put("path", System.getProperty("java.class.path"));
    environment.put("FOLDER", archives.toString());
    environment.put("VERSION", version);
    environment.put("LOADED", loaded.toString());
    Process process = builder.start();
    try {
      assertTrue(process.waitFor(180, TimeUnit.SECONDS), "the script takes more than 180 s");
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return new Result(
        process.exitValue(),
        Files.readString(out, UTF_8),
        Files.readString(err, UTF_8),
        Files.readAllLines(loaded, UTF_8));
  }
}
