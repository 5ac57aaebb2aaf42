package io.jgloo.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * C++ Gloo, by our driver.
 *
 * @param polling synchronous pairs that poll, which only its class algorithms can; else its default
 */
record GlooPeer(Path driver, boolean polling, String congestion) implements Peer {

  static final Set<String> OPERATIONS =
      Set.of("allreduce", "broadcast", "barrier", "allgather", "alltoall", "reduceScatter");

  /** Both sides of a polling pair block in write when a message outgrows what sockets hold. */
  private static final long POLLING_BYTES = 1 << 20;

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Override
  public String name() {
    return polling ? Series.POLLING : Series.GLOO;
  }

  @Override
  public String mode() {
    return (polling
            ? "class AllreduceRing, synchronous pairs, busy polling, up to 1 MiB"
            : "function API, its event loop's thread, in place")
        + ", congestion control "
        + congestion;
  }

  @Override
  public boolean measures(Task task) {
    if (polling) {
      boolean roomy = task.ranks() <= Runtime.getRuntime().availableProcessors();
      return roomy && task.operation().equals("allreduce");
    }
    return OPERATIONS.contains(task.operation());
  }

  @Override
  public List<Timing> measure(Task task) throws IOException, InterruptedException {
    if (!polling) {
      return launch(task, task.sizes());
    }
    List<Timing> timings = new ArrayList<>();
    for (long bytes : task.sizesTo(POLLING_BYTES)) {
      timings.addAll(launch(task, List.of(bytes)));
    }
    return timings;
  }

  private List<Timing> launch(Task task, List<Long> sizes)
      throws IOException, InterruptedException {
    try (TemporaryFolder store = TemporaryFolder.create()) {
      List<List<String>> commands = new ArrayList<>();
      for (int rank = 0; rank < task.ranks(); rank++) {
        List<String> command = new ArrayList<>();
        command.addAll(List.of(driver.toString(), polling ? "polling" : "default"));
        command.addAll(List.of(task.operation(), "" + rank, "" + task.ranks()));
        command.addAll(List.of(store.path().toString(), task.seconds()));
        sizes.forEach(bytes -> command.add("" + bytes));
        commands.add(command);
      }
      return Timing.parse(name(), task.operation(), Job.run(commands, PATIENCE));
    }
  }
}
