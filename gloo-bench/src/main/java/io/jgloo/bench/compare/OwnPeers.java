package io.jgloo.bench.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jgloo.bench.Main;
import io.jgloo.bench.compare.Peer.Task;
import io.jgloo.bench.compare.Peer.Timing;
import io.jgloo.bench.operation.Operations;
import io.jgloo.bench.process.Child;
import io.jgloo.bench.process.Job;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * This library in several forms, by the program behind {@code gloo-bench/run}.
 *
 * @param congestion congestion control
 * @param quick to see that it works, not how fast
 * @param threads whether ranks are threads of one JVM
 */
record OwnPeers(String congestion, boolean quick, boolean threads) {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String QUICK_CALLS = "50";

  List<Peer> all() {
    return List.of(
        every(Series.OURS, "sockets, direct memory, allreduce in place", "off"),
        every(Series.SHARED, "shared memory, direct memory, allreduce in place", "require"),
        allreduce(
            Series.ALLOCATED,
            "shared memory, memory of the group, allreduce in place",
            "--memory",
            "allocated",
            "--memory-route",
            "require"),
        allreduce(
            Series.HEAP,
            "sockets, float[], allreduce in place",
            "--memory",
            "heap",
            "--memory-route",
            "off"),
        allreduce(
            Series.OURS_AS_GLOO,
            "wire=gloo, direct memory, in place",
            "--device-option",
            "wire=gloo"));
  }

  private Peer every(String series, String mode, String route) {
    return new Peer(
        series,
        mode(mode),
        task -> Operations.named(task.operation()).isPresent(),
        task -> measure(series, task, List.of("--memory-route", route)));
  }

  private Peer allreduce(String series, String mode, String... options) {
    return new Peer(
        series, mode(mode), Task::isAllreduce, task -> measure(series, task, List.of(options)));
  }

  private String mode(String form) {
    return "a "
        + (threads ? "thread" : "JVM")
        + " per rank, "
        + form
        + ", congestion control "
        + congestion;
  }

  private List<Timing> measure(String series, Task task, List<String> options)
      throws IOException, InterruptedException {
    List<String> command = Child.java(Main.class);
    command.addAll(List.of(task.operation(), "--ranks", "" + task.ranks(), "--format", "json"));
    command.addAll(List.of("--device-option", "congestion=" + congestion));
    command.addAll(options);
    if (task.isSized()) {
      String sizes = String.join(",", task.sizes().stream().map(bytes -> "" + bytes).toList());
      command.addAll(List.of("--sizes", sizes));
    }
    if (task.isAllreduce()) {
      command.add("--in-place");
    }
    if (quick) {
      command.addAll(List.of("--iters", QUICK_CALLS, "--warmup", QUICK_CALLS));
    }
    if (threads) {
      command.add("--threads");
    }
    List<Timing> timings = new ArrayList<>();
    String document = String.join("\n", Job.run(PATIENCE, command));
    for (JsonNode row : new ObjectMapper().readTree(document).get("rows")) {
      timings.add(
          new Timing(
              series,
              row.get("bytes").asLong(),
              row.get("rankP50Us").get(0).asDouble(), // the others time their rank 0 too
              row.get("p99Us").asDouble()));
    }
    return timings;
  }
}
