package io.jgloo.bench.compare;

import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.GlooException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;

/**
 * Where and when figures were taken.
 *
 * @param congestion the system's congestion control, which the other libraries have
 * @param ownCongestion ours, and the limit's
 * @param load processes that wanted to run in the minute before: other work disturbs
 * @param handoffUs a word from one core to another and back, halved; tells states of the machine
 *     apart
 */
record Machine(
    String processor,
    int cores,
    String system,
    String jvm,
    String congestion,
    String ownCongestion,
    String load,
    double handoffUs,
    String date) {

  static Machine now(String ownCongestion) throws InterruptedException {
    return new Machine(
        askProcessor(),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
        systemCongestion(),
        ownCongestion,
        word(Path.of("/proc/loadavg")),
        Handoff.micros(),
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
  }

  static String systemCongestion() {
    return word(Path.of("/proc/sys/net/ipv4/tcp_congestion_control"));
  }

  /** What our device chooses between ranks of a host: cubic or reno where that is permitted. */
  static String hostCongestion() {
    return Stream.of("cubic", "reno").filter(Machine::isPermitted).findFirst().orElse("system");
  }

  /** The kernel's list of what everybody may use is too short for who may use more. */
  private static boolean isPermitted(String name) {
    DeviceOptions options =
        DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("congestion", name);
    try (Device device = Devices.open("tcp", options)) {
      return device != null;
    } catch (IllegalArgumentException | GlooException e) {
      return false;
    }
  }

  private static String askProcessor() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).trim())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }

  private static String word(Path file) {
    try {
      return Files.readString(file).trim().split(" ", 2)[0];
    } catch (IOException e) {
      return "unknown";
    }
  }
}
