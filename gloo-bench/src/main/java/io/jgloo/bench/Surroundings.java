package io.jgloo.bench;

import io.jgloo.ProcessGroup;
import io.jgloo.bench.operation.Operation;
import io.jgloo.bench.report.Header;
import io.jgloo.collectives.kernel.Kernels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What a table must say about where it comes from. */
final class Surroundings {

  private static final Path CONGESTION = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");

  private Surroundings() {}

  static Header header(Settings settings, ProcessGroup group) {
    return new Header(
        settings.operations().stream().map(Operation::name).toList(),
        settings.ranks(),
        settings.mode() + (group.localSize() == group.size() ? " on one host" : ""),
        settings.work().heap() ? "heap" : "direct",
        settings.work().inPlace(),
        settings.device(),
        settings.deviceOptions(),
        routes(group),
        congestion(),
        Kernels.nativeUnavailabilityCause().map(cause -> "java (" + cause + ")").orElse("native"),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        Runtime.getRuntime().availableProcessors(),
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
  }

  private static Map<String, Long> routes(ProcessGroup group) {
    return IntStream.range(0, group.size())
        .filter(peer -> peer != group.rank())
        .mapToObj(group::route)
        .collect(Collectors.groupingBy(route -> route, TreeMap::new, Collectors.counting()));
  }

  /** The system's default, or null where it cannot be asked. */
  private static String congestion() {
    try {
      return Files.readString(CONGESTION).trim();
    } catch (IOException e) {
      return null; // no Linux
    }
  }
}
