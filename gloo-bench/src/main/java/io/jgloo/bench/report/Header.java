package io.jgloo.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * What was run, where.
 *
 * @param ranks number of them
 * @param mode what a rank is: a process of this machine, a thread, a process anywhere
 * @param memory what vectors lie in: {@code direct} or {@code heap}
 * @param device kind of device
 * @param deviceOptions its attributes, as far as they were given
 * @param routes how the bytes of each pair of the first rank move, and of how many pairs
 * @param congestion the system's congestion control for TCP; absent if it cannot be known
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
    String kernels,
    String jvm,
    String system,
    int cores,
    String started) {}
