package io.jgloo.bench.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jgloo.bench.Jvm;
import io.jgloo.bench.Main;
import io.jgloo.bench.operation.Operations;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * This library, by the program behind {@code gloo-bench/run}.
 *
 * @param form how it is used
 * @param quick for how it works, not for what it says
 */
record OwnPeer(Form form, String congestion, boolean quick) implements Peer {

  /** What of the library is measured. */
  enum Form {
    /** Over TCP. */
    DIRECT(Series.OURS, "sockets, direct memory, allreduce in place"),
    /** As it is. */
    SHARED(Series.SHARED, "shared memory, direct memory, allreduce in place"),
    /** With Java arrays. */
    HEAP(Series.HEAP, "sockets, float[], allreduce in place"),
    /** With C++ Gloo's messages and algorithms, as in a mesh with its ranks. */
    GLOO(Series.OURS_AS_GLOO, "wire=gloo, direct memory, in place");

    private final String series;
    private final String mode;

    Form(String series, String mode) {
      this.series = series;
      this.mode = mode;
    }
  }

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String QUICK_CALLS = "50";

  @Override
  public String name() {
    return form.series;
  }

  @Override
  public String mode() {
    return "a JVM per rank, " + form.mode + ", congestion control " + congestion;
  }

  @Override
  public boolean measures(Task task) {
    boolean known = Operations.all().stream().anyMatch(op -> op.name().equals(task.operation()));
    boolean all = form == Form.DIRECT || form == Form.SHARED;
    return known && (all || task.operation().equals("allreduce"));
  }

  @Override
  public List<Timing> measure(Task task) throws IOException, InterruptedException {
    List<String> command = Jvm.command(Main.class);
    command.addAll(List.of(task.operation(), "--ranks", "" + task.ranks(), "--format", "json"));
    command.addAll(List.of("--device-option", "congestion=" + congestion));
    command.addAll(List.of("--memory", form == Form.HEAP ? "heap" : "direct"));
    if (form == Form.GLOO) {
      command.addAll(List.of("--device-option", "wire=gloo"));
    } else {
      command.addAll(List.of("--memory-route", form == Form.SHARED ? "require" : "off"));
    }
    if (task.isSized()) {
      String sizes = String.join(",", task.sizes().stream().map(bytes -> "" + bytes).toList());
      command.addAll(List.of("--sizes", sizes));
    }
    if (task.operation().equals("allreduce")) {
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
              name(),
              row.get("bytes").asLong(),
              row.get("rankP50Us").get(0).asDouble(), // the others time their rank 0 too
              row.get("p99Us").asDouble(),
              row.get("maxUs").asDouble(),
              row.get("iterations").asInt()));
    }
    return timings;
  }
}
