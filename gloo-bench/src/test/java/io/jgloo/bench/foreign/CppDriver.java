package io.jgloo.bench.foreign;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;

/**
 * The driver of C++ Gloo, built when it is first asked for.
 *
 * <p>Debian's library speaks the classic wire. One built by hand speaks the current one: {@code
 * make -C gloo-bench/peers current GLOO=... SOURCE=...} puts its driver where it is found here.
 */
final class CppDriver {
  private static final Logger LOG = Logger.getLogger(CppDriver.class.getName());
  private static final Path PEERS = Path.of("peers").toAbsolutePath();
  private static final Path BUILT = PEERS.resolveSibling("target").resolve("peers");
  private static final String CLASSIC = "gloo-classic";
  private static final long BUILD_MINUTES = 10;

  /** How long a test class may wait until its driver is built, also by another test JVM. */
  static final long BUILD_SECONDS = 900;

  /** What to do if there is no driver of the classic wire; null before it has been built. */
  private static String advice;

  private CppDriver() {}

  /** The driver for a wire; skips the test, and says why, if there is none. */
  static Path of(String wire) throws IOException, InterruptedException {
    Path driver = BUILT.resolve(wire.equals(CLASSIC) ? "gloo_rank" : "gloo_rank_current");
    String missing = wire.equals(CLASSIC) ? make() : "a Gloo built by hand; see docs/interop.md";
    if (!Files.isExecutable(driver)) {
      LOG.warning("skipped: no driver of C++ Gloo on wire " + wire + ": " + missing);
    }
    assumeTrue(Files.isExecutable(driver), "no " + driver + ": " + missing);
    return driver;
  }

  /**
   * Builds the driver of the classic wire unless it is there. One test JVM at a time: the others
   * must not start a driver that is just being written.
   */
  static synchronized String make() throws IOException, InterruptedException {
    if (advice == null) {
      Path lock = Files.createDirectories(BUILT).resolve("rank.lock");
      try (FileChannel channel = FileChannel.open(lock, CREATE, WRITE)) {
        var unused = channel.lock(); // until the channel is closed
        advice = build();
      }
    }
    return advice;
  }

  private static String build() throws IOException, InterruptedException {
    Path log = Files.createTempFile("gloo_rank", ".log");
    try {
      Process make =
          new ProcessBuilder("make", "-s", "-C", PEERS.toString(), "rank")
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (!make.waitFor(BUILD_MINUTES, TimeUnit.MINUTES)) {
        make.destroyForcibly();
      }
      return "apt-get install libgloo-dev libhiredis-dev g++ make; make said: "
          + Files.readString(log, UTF_8).strip();
    } catch (IOException e) {
      return "apt-get install make: " + e;
    } finally {
      Files.deleteIfExists(log);
    }
  }

  /** The command of one rank; what it does is to be added. */
  static List<String> command(Path driver, int rank, int size, String store, Path dump) {
    List<String> command = new ArrayList<>(List.of(driver.toString()));
    command.addAll(List.of("--rank", "" + rank, "--size", "" + size, "--store", store));
    command.addAll(List.of("--dump", dump.toString()));
    return command;
  }
}
