package io.jgloo.lightgbm;

import com.microsoft.ml.lightgbm.lightgbmlibJNI;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Loads LightGBM's two native libraries, unless the program has loaded them, and the library that
 * connects them to Java.
 *
 * <p>Each is unpacked from its jar to a file that only the user may access, which is deleted as
 * soon as it is loaded.
 *
 * <p><em>Threads</em>: any.
 */
final class LightGbmLibrary {

  /** System property: the directory to unpack to, as that of libjgloo. */
  private static final String WORKDIR = "io.jgloo.native.workdir";

  private static boolean loaded;

  private LightGbmLibrary() {}

  /**
   * Loads what is not loaded.
   *
   * @throws UnsupportedOperationException if a library is missing or cannot be used here
   */
  static synchronized void load() {
    if (loaded) {
      return;
    }
    String platform = platform();
    try {
      if (!hasLightGbm()) {
        String folder = "/com/microsoft/ml/lightgbm/" + platform.replace('-', '/') + "/";
        loadResource(folder + System.mapLibraryName("_lightgbm"));
        loadResource(folder + System.mapLibraryName("_lightgbm_swig"));
      }
    } catch (IOException | UnsatisfiedLinkError e) {
      throw new UnsupportedOperationException(
          "LightGBM's native libraries cannot be loaded (they need libgomp1): " + e.getMessage(),
          e);
    }
    try {
      loadResource("/META-INF/native/" + platform + "/libjgloo-lightgbm.so");
    } catch (IOException | UnsatisfiedLinkError e) {
      throw new UnsupportedOperationException(
          "the native part of gloo-lightgbm is missing: "
              + e.getMessage()
              + "; it is built on Linux x86_64 with gcc and make (native/build)",
          e);
    }
    String missing = LightGbmNetwork.prepare();
    if (missing != null) {
      throw new UnsupportedOperationException(
          "libjgloo-lightgbm.so cannot throw C++ exceptions: " + missing);
    }
    loaded = true;
  }

  /** Operating system and machine as in {@code linux-x86_64}. */
  private static String platform() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    String os = system.startsWith("windows") ? "windows" : system;
    return (system.startsWith("mac") ? "osx" : os)
        + "-"
        + (machine.equals("amd64") ? "x86_64" : machine);
  }

  /** Whether the program has loaded LightGBM: a second copy would have a state of its own. */
  private static boolean hasLightGbm() {
    try {
      lightgbmlibJNI.delete_intp(lightgbmlibJNI.new_intp());
      return true;
    } catch (UnsatisfiedLinkError e) {
      return false;
    }
  }

  private static void loadResource(String resource) throws IOException {
    try (InputStream stream = LightGbmLibrary.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new FileNotFoundException("no jar contains " + resource.substring(1));
      }
      String work = System.getProperty(WORKDIR, System.getProperty("java.io.tmpdir"));
      Path file = Files.createTempFile(Path.of(work), "jgloo-lightgbm-", ".so");
      try {
        Files.write(file, stream.readAllBytes());
        System.load(file.toAbsolutePath().toString());
      } finally {
        Files.deleteIfExists(file);
      }
    }
  }
}
