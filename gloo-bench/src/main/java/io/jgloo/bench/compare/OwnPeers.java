package io.jgloo.bench.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jgloo.bench.Main;
import io.jgloo.bench.compare.Peer.Task;
import io.jgloo.bench.compare.Peer.Timing;
import io.jgloo.bench.process.Child;
import io.jgloo.bench.process.Job;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * This library in several forms, by the program behind {@code gloo-bench/run}.
 *
 * @param congestion congestion control
 * @param quick to see that it works, not how fast
 */
record OwnPeers(String congestion, boolean quick) {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String QUICK_CALLS = "50";

  List<Peer> all() {
    String inPlace = "allreduce in place";
    return List.of(
        form(Peer.OURS, "sockets, direct memory, " + inPlace, any -> true, "--memory-route=off"),
        form(
            Peer.SHARED,
            "shared memory, direct memory, " + inPlace,
            any -> true,
            "--memory-route=require"),
        form(
            Peer.ALLOCATED,
            "shared memory, memory of the group, " + inPlace,
            Task::isAllreduce,
            "--memory=allocated",
            "--memory-route=require"),
        form(
            Peer.HEAP,
            "sockets, float[], " + inPlace,
            Task::isAllreduce,
            "--memory=heap",
            "--memory-route=off"),
        form(
            Peer.OURS_AS_GLOO,
            "wire=gloo, direct memory, in place",
            Task::isAllreduce,
            "--device-option=wire=gloo"));
  }

  private Peer form(String series, String mode, Predicate<Task> measures, String... options) {
    return new Peer(
        series,
        "a JVM per rank, " + mode + ", congestion control " + congestion,
        measures,
        task -> measure(series, task, List.of(options)));
  }

  private List<Timing> measure(String series, Task task, List<String> options)
      throws IOException, InterruptedException {
    List<String> command = Child.java(Main.class);
    command.addAll(List.of(task.operation(), "--ranks", "" + task.ranks(), "--format", "json"));
    command.addAll(List.of("--device-option", "congestion=" + congestion));
    command.addAll(options);
    if (task.isSized()) {
      command.add("--sizes=" + String.join(",", task.words()));
    }
    if (task.isAllreduce()) {
      command.add("--in-place");
    }
    if (quick) {
      command.addAll(List.of("--iters", QUICK_CALLS, "--warmup", QUICK_CALLS));
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
