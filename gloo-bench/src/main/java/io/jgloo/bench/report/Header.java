package io.jgloo.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What was run, where.
 *
 * @param ranks number of them
 * @param mode what a rank is: a process of this machine, a thread, a process anywhere
 * @param memory what vectors lie in: {@code direct}, {@code heap} or {@code allocated}
 * @param device kind of device
 * @param deviceOptions its attributes, as far as they were given
 * @param routes how the bytes of each pair of the first rank move, and of how many pairs
 * @param congestion the TCP congestion control in use; absent if the device does not send over TCP
 * @param systemCongestion what the system gives to sockets that do not ask for another
 * @param kernels whose reductions: {@code native}, or {@code java} and why
 * @param jvm name and version
 * @param system name and version of the operating system
 * @param cores that the JVM may use
 * @param started date and time, ISO 8601
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Header(
    List<String> operations,
    int ranks,
    String mode,
    String memory,
    boolean inPlace,
    String device,
    Map<String, String> deviceOptions,
    Map<String, Long> routes,
    String congestion,
    String systemCongestion,
    String kernels,
    String jvm,
    String system,
    int cores,
    String started) {

  /** The lines above a table. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    String whole = String.join(", ", operations);
    lines.add("%s: %d ranks, %s; %s memory".formatted(whole, ranks, mode, memory));
    String attributes = deviceOptions.isEmpty() ? "" : " " + deviceOptions;
    lines.add("device " + device + attributes + congestionText());
    if (!routes.isEmpty()) {
      lines.add("route of rank 0 to " + routesText());
    }
    lines.add(jvm + ", " + system + ", " + cores + " cores, " + kernels + " kernels");
    lines.add("times are the slowest rank's; GB/s = 10^9 bytes per second by the median");
    return lines;
  }

  private String routesText() {
    return routes.entrySet().stream()
        .map(
            each ->
                (each.getValue() == 1 ? "1 rank: " : each.getValue() + " ranks: ") + each.getKey())
        .collect(Collectors.joining(", "));
  }

  private String congestionText() {
    if (congestion == null) {
      return "";
    }
    boolean system = congestion.equals(systemCongestion);
    String other = system ? "" : " (the system's is " + systemCongestion + ")";
    return ", congestion control " + congestion + other;
  }
}
