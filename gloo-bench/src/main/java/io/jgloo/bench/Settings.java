package io.jgloo.bench;

import io.jgloo.ProcessGroup;
import io.jgloo.bench.operation.Operation;
import io.jgloo.bench.operation.Workload;
import io.jgloo.bench.report.Machine;
import io.jgloo.bench.report.Run.Header;
import io.jgloo.collectives.kernel.Kernels;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What is to be measured, and how; the same at all ranks.
 *
 * @param ranks number of them
 * @param processes that the ranks are in; one if they are threads of this JVM
 * @param mode what they are, in words: processes, threads, or threads of several processes
 * @param counts elements of each rank's vector, line by line
 * @param iterations timed calls; empty: as many as take {@link Pace#TARGET_NANOS}
 * @param warmup calls before them; empty: until times are stable
 * @param timeout for a call, and for the ranks to meet
 * @param hdr folder for histograms
 * @param dump folder for outputs
 * @param hosts on which the ranks pretend to be
 */
record Settings(
    List<Operation> operations,
    int ranks,
    int processes,
    String mode,
    List<Long> counts,
    Workload work,
    OptionalInt iterations,
    OptionalInt warmup,
    Duration timeout,
    Optional<Path> hdr,
    Optional<Path> dump,
    String device,
    Map<String, String> deviceOptions,
    OptionalInt hosts) {

  /** The first rank of a process; that of one beyond the last is the number of ranks. */
  int firstRank(int process) {
    return (int) ((long) process * ranks / processes);
  }

  /** The file of a rank in a folder; with several operations each has a folder of its own. */
  Path file(Path folder, Operation operation, String name) {
    return operations.size() == 1 ? folder.resolve(name) : folder(folder, operation).resolve(name);
  }

  /** Where the files of an operation are. */
  Path folder(Path folder, Operation operation) {
    return operations.size() == 1 ? folder : folder.resolve(operation.name());
  }

  /** Attributes of the device of one rank. */
  Map<String, String> deviceOptions(int rank) {
    Map<String, String> attributes = new LinkedHashMap<>(deviceOptions);
    hosts.ifPresent(count -> attributes.put("host", "host-" + (long) rank * count / ranks));
    return attributes;
  }

  /** What a report must say about this run. */
  Header header(ProcessGroup group) {
    boolean oneHost = group.localSize() == group.size();
    return new Header(
        operations.stream().map(Operation::name).toList(),
        ranks,
        mode + place(oneHost),
        work.memory().toString(),
        work.inPlace(),
        device,
        deviceOptions,
        routes(group),
        Machine.congestion(device, deviceOptions, oneHost),
        Machine.systemCongestion(),
        Kernels.nativeUnavailabilityCause().map(cause -> "java (" + cause + ")").orElse("native"),
        Machine.askJvm(),
        Machine.askSystem(),
        Runtime.getRuntime().availableProcessors(),
        Machine.time());
  }

  private String place(boolean oneHost) {
    if (hosts.isPresent()) {
      return " on " + hosts.getAsInt() + " pretended host" + (hosts.getAsInt() == 1 ? "" : "s");
    }
    return oneHost ? " on one host" : "";
  }

  private static Map<String, Long> routes(ProcessGroup group) {
    return IntStream.range(0, group.size())
        .filter(peer -> peer != group.rank())
        .mapToObj(group::route)
        .collect(Collectors.groupingBy(route -> route, TreeMap::new, Collectors.counting()));
  }
}
