package io.jgloo.collectives.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.Native;
import io.jgloo.collectives.DataType;
import io.jgloo.transport.ShortJvm;
import io.jgloo.transport.library.JniCalls;
import io.jgloo.transport.library.LibraryFile;
import io.jgloo.transport.memory.Memory;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How the native library is found, and what happens when it is not: JVMs of their own. */
@Timeout(120)
class NativeLibraryTest {

  /** What is printed when the sum of 0..1999 came out right. */
  private static final String RIGHT = "sum 1999000";

  @TempDir Path directory;

  private int outputs;

  @Test
  void unpacksFromTheJarAndLeavesNothingBehind() throws Exception {
    assumeNativeKernels();
    String output = run("-Dio.jgloo.native.workdir=" + directory);
    assertRight(output);
    assertTrue(output.contains("level " + NativeKernels.level()), output);
    assertTrue(output.contains("cause null"), output);
    assertEquals(List.of(), libraries(), "left in the work directory");
  }

  @Test
  void severalProcessesUnpackAtOnce() throws Exception {
    assumeNativeKernels();
    List<Process> processes = new ArrayList<>();
    List<Path> outputs = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Path output = newOutput();
      outputs.add(output);
      processes.add(start(output, "-Dio.jgloo.native.workdir=" + directory));
    }
    for (int i = 0; i < processes.size(); i++) {
      String output = await(processes.get(i), outputs.get(i));
      assertRight(output);
      assertTrue(output.contains("cause null"), output);
    }
    assertEquals(List.of(), libraries(), "left in the work directory");
  }

  @Test
  void theUnpackedFileIsTheUsersAlone() throws Exception {
    assumeNativeKernels();
    Properties properties = new Properties();
    properties.putAll(System.getProperties());
    properties.setProperty(LibraryFile.WORKDIR, directory.toString());
    Path path;
    try (LibraryFile first = LibraryFile.find(properties);
        LibraryFile second = LibraryFile.find(properties)) {
      path = first.path();
      assertFalse(path.equals(second.path()), "two users of one file");
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(path));
      String checksum = HexFormat.of().formatHex(digest, 0, 8);
      assertTrue(path.getFileName().toString().startsWith("libjgloo-" + checksum), path::toString);
      assertEquals(
          Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE),
          Files.getPosixFilePermissions(path));
    }
    assertFalse(Files.exists(path, LinkOption.NOFOLLOW_LINKS), "left behind");
  }

  @Test
  void takesALibraryOfTheUsersOwn() throws Exception {
    assumeNativeKernels();
    Properties properties = new Properties();
    properties.putAll(System.getProperties());
    properties.remove(LibraryFile.PATH);
    properties.setProperty(LibraryFile.WORKDIR, directory.toString());
    try (LibraryFile own = LibraryFile.find(properties)) {
      String output = run("-Dio.jgloo.native.path=" + own.path());
      assertRight(output);
      assertTrue(output.contains("cause null"), output);
      assertTrue(Files.exists(own.path()), "the user's library must stay");
    }
  }

  @Test
  void saysWhatIsWrongWithAPathAndWorksWithoutTheLibrary() throws Exception {
    String output = run("-Dio.jgloo.native.path=/nowhere/libjgloo.so");
    assertRight(output);
    assertTrue(output.contains("level -1"), output);
    assertTrue(
        output.contains("-Dio.jgloo.native.path=/nowhere/libjgloo.so is not a file"), output);
    assertEquals(1, logLines(output), output);
  }

  @Test
  void saysWhatAWorkDirectoryLacksAndWorksWithoutTheLibrary() throws Exception {
    String output = run("-Dio.jgloo.native.workdir=/nowhere");
    assertRight(output);
    assertTrue(output.contains("level -1"), output);
    assertEquals(1, logLines(output), output);
  }

  /** Two applications of one JVM, each with the transport in one class loader and us in another. */
  @Test
  void isLoadedInEachClassLoader() throws Exception {
    assumeNativeKernels();
    for (int application = 0; application < 2; application++) {
      try (URLClassLoader transport = loader(ClassLoader.getPlatformClassLoader(), Memory.class);
          URLClassLoader collectives = loader(transport, NativeKernels.class, NativeProbe.class)) {
        Method report = collectives.loadClass(NativeProbe.class.getName()).getMethod("report");
        report.setAccessible(true);
        assertNotSame(NativeProbe.class, report.getDeclaringClass());
        String text = (String) report.invoke(null);
        assertRight(text);
        assertTrue(text.contains("cause null"), text);
      }
    }
  }

  private static URLClassLoader loader(ClassLoader parent, Class<?>... types) {
    return new URLClassLoader(
        Stream.of(types)
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
            .toArray(URL[]::new),
        parent);
  }

  @Test
  void namesPlatformsAsTheJarDoes() {
    assertEquals("linux-x86_64", platform("Linux", "amd64"));
    assertEquals("linux-aarch64", platform("Linux", "aarch64"));
    assertEquals("osx-aarch64", platform("Mac OS X", "arm64"));
    assertEquals("windows-x86_64", platform("Windows 11", "amd64"));
  }

  private static String platform(String system, String machine) {
    Properties properties = new Properties();
    properties.setProperty("os.name", system);
    properties.setProperty("os.arch", machine);
    return LibraryFile.platform(properties);
  }

  private static void assumeNativeKernels() {
    assumeTrue(
        JniCalls.isAvailable(),
        () -> "no native library: " + JniCalls.unavailabilityCause().orElseThrow());
  }

  private static void assertRight(String output) {
    assertTrue(output.contains(RIGHT), output);
  }

  private static long logLines(String output) {
    return output
        .lines()
        .filter(line -> line.toLowerCase(Locale.ROOT).contains("no native library"))
        .count();
  }

  private List<Path> libraries() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.getFileName().toString().startsWith("lib")).toList();
    }
  }

  private String run(String... options) throws Exception {
    Path output = newOutput();
    return await(start(output, options), output);
  }

  private Path newOutput() {
    outputs++;
    return directory.resolve("output-" + outputs);
  }

  private static Process start(Path output, String... options) throws Exception {
    List<String> command = ShortJvm.command("-Xmx64m", "-cp", classPath());
    command.addAll(Arrays.asList(options));
    command.add(NativeProbe.class.getName());
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  private static String await(Process process, Path output) throws Exception {
    try {
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the JVM does not end");
      String printed = Files.readString(output);
      assertEquals(0, process.exitValue(), printed);
      return printed;
    } finally {
      process.destroyForcibly();
    }
  }

  /** The places this JVM has the classes from, whatever way it was given them. */
  private static String classPath() {
    return Stream.of(
            NativeProbe.class, DataType.class, NativeKernels.class, Memory.class, Native.class)
        .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
        .map(location -> Path.of(java.net.URI.create(location.toString())).toString())
        .distinct()
        .collect(Collectors.joining(System.getProperty("path.separator")));
  }
}
