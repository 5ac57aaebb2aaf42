package io.jgloo.bench.report;

import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.JGlooException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The machine and time of a measurement.
 *
 * @param congestion the other libraries' congestion control
 * @param ownCongestion ours, and the limit's
 * @param load processes that wanted to run in the minute before: other work disturbs
 */
public record Machine(
    String processor,
    int cores,
    String system,
    String jvm,
    String congestion,
    String ownCongestion,
    String load,
    String date) {

  /** This machine now, as a user finds it. */
  public static Machine now() {
    return now(hostCongestion(), systemCongestion());
  }

  /** This machine now. */
  public static Machine now(String ownCongestion, String congestion) {
    return new Machine(
        askProcessor(),
        Runtime.getRuntime().availableProcessors(),
        askSystem(),
        askJvm(),
        congestion,
        ownCongestion,
        word(Path.of("/proc/loadavg")),
        time());
  }

  /** What stands above figures taken here. */
  String note() {
    return "%s, %d cores, %s, %s, load %s, %s".formatted(processor, cores, system, jvm, load, date);
  }

  /** Name and version of the operating system. */
  public static String askSystem() {
    return System.getProperty("os.name") + " " + System.getProperty("os.version");
  }

  /** Name and version of the Java virtual machine. */
  public static String askJvm() {
    return System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version");
  }

  /** Date and time, ISO 8601. */
  public static String time() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** What sockets have if they do not ask for another. */
  public static String systemCongestion() {
    return word(Path.of("/proc/sys/net/ipv4/tcp_congestion_control"));
  }

  /** What our device chooses between ranks of a host: cubic or reno where that is permitted. */
  public static String hostCongestion() {
    return Stream.of("cubic", "reno").filter(Machine::isPermitted).findFirst().orElse("system");
  }

  /** The kernel's list of what every user may use is too short for those who may use more. */
  private static boolean isPermitted(String name) {
    DeviceOptions options =
        DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("congestion", name);
    try (Device device = Devices.open("tcp", options)) {
      return device != null;
    } catch (IllegalArgumentException | JGlooException e) {
      return false;
    }
  }

  /**
   * What the TCP connections of a device have.
   *
   * @param oneHost whether all ranks are on this host, where the device chooses
   * @return null if the device sends nothing over TCP
   */
  public static String congestion(String device, Map<String, String> options, boolean oneHost) {
    if (!device.equals("tcp")) {
      return null;
    }
    String wanted = oneHost ? options.getOrDefault("congestion", "auto") : "system";
    String chosen = wanted.equals("auto") ? hostCongestion() : wanted;
    boolean system = chosen.equals("system") || "nio".equals(options.get("sockets"));
    return system ? systemCongestion() : chosen;
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
