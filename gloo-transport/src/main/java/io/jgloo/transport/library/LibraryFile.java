package io.jgloo.transport.library;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Properties;

/**
 * The native library on disk: the user's own file, or one unpacked from the jar.
 *
 * <p>The unpacked file has a unique name and only the user may access it, so no other process,
 * version or user can change it between writing and loading. It is deleted as soon as it is loaded
 * (the mapping outlives the name), so even a killed JVM leaves no file.
 *
 * @param path an absolute path
 * @param unpacked whether {@link #close} is to remove the file
 */
public record LibraryFile(Path path, boolean unpacked) implements AutoCloseable {

  /** System property: {@code false} disables the library. */
  public static final String ENABLED = "io.jgloo.native.enabled";

  /** System property: another library file, instead of the one in the jar. */
  public static final String PATH = "io.jgloo.native.path";

  /** System property: the directory to unpack to, where the temporary one forbids execution. */
  public static final String WORKDIR = "io.jgloo.native.workdir";

  /**
   * Finds or unpacks the library, according to the properties.
   *
   * @throws IOException if there is none, or it cannot be unpacked
   * @throws UnsupportedOperationException if the properties disable it
   */
  public static LibraryFile find(Properties properties) throws IOException {
    if (!Boolean.parseBoolean(properties.getProperty(ENABLED, "true"))) {
      throw new UnsupportedOperationException("disabled by -D" + ENABLED);
    }
    String own = properties.getProperty(PATH);
    if (own != null) {
      Path path = Path.of(own).toAbsolutePath();
      if (!Files.isRegularFile(path)) {
        throw new FileNotFoundException("-D" + PATH + "=" + own + " is not a file");
      }
      return new LibraryFile(path, false);
    }
    String resource = "/META-INF/native/" + platform(properties) + "/" + fileName();
    try (InputStream stream = LibraryFile.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new FileNotFoundException("the jar does not contain " + resource.substring(1));
      }
      return unpack(stream.readAllBytes(), properties);
    }
  }

  /** Operating system and machine, in the words Netty and others use: {@code linux-x86_64}. */
  public static String platform(Properties properties) {
    String system = properties.getProperty("os.name").toLowerCase(Locale.ROOT);
    String machine = properties.getProperty("os.arch").toLowerCase(Locale.ROOT);
    String os =
        system.startsWith("windows") ? "windows" : system.startsWith("mac") ? "osx" : system;
    String arch =
        switch (machine) {
          case "amd64", "x86-64", "x64" -> "x86_64";
          case "arm64" -> "aarch64";
          default -> machine;
        };
    return os + "-" + arch;
  }

  private static String fileName() {
    return System.mapLibraryName("jgloo");
  }

  private static LibraryFile unpack(byte[] content, Properties properties) throws IOException {
    Path directory =
        Path.of(properties.getProperty(WORKDIR, properties.getProperty("java.io.tmpdir")));
    String suffix = fileName().substring(fileName().lastIndexOf('.'));
    // Created exclusively and with mode 0600: dlopen needs to read, not to execute.
    Path file = Files.createTempFile(directory, "libjgloo-" + hash(content) + "-", suffix);
    LibraryFile unpacked = new LibraryFile(file.toAbsolutePath(), true);
    try {
      Files.write(file, content);
      return unpacked;
    } catch (IOException e) {
      unpacked.close();
      throw e;
    }
  }

  private static String hash(byte[] content) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Removes an unpacked file; at the latest at exit, where a loaded library cannot be removed. */
  @Override
  public void close() throws IOException {
    if (unpacked) {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        path.toFile().deleteOnExit();
      }
    }
  }
}
