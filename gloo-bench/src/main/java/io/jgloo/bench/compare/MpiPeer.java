package io.jgloo.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Open MPI, by our driver.
 *
 * @param shared through shared memory; else over TCP
 */
record MpiPeer(Path driver, boolean shared, String congestion) implements Peer {

  private static final Set<String> OPERATIONS =
      Set.of("allreduce", "broadcast", "barrier", "allgather", "alltoall", "reduceScatter");

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Override
  public String name() {
    return shared ? Series.MPI_SHM : Series.MPI_TCP;
  }

  @Override
  public String mode() {
    return (shared ? "btl vader" : "btl tcp over lo, congestion control " + congestion)
        + ", polling; as mpirun binds and yields by default";
  }

  @Override
  public boolean measures(Task task) {
    return OPERATIONS.contains(task.operation());
  }

  @Override
  public List<Timing> measure(Task task) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("mpirun", "--allow-run-as-root"));
    command.addAll(List.of("-np", "" + task.ranks(), "--mca", "pml", "ob1", "--mca", "btl"));
    command.add(shared ? "vader,self" : "tcp,self");
    if (!shared) {
      command.addAll(List.of("--mca", "btl_tcp_if_include", "lo"));
    }
    if (task.ranks() > Runtime.getRuntime().availableProcessors()) {
      command.add("--oversubscribe");
    }
    command.addAll(List.of(driver.toString(), task.operation(), task.seconds()));
    task.sizes().forEach(bytes -> command.add("" + bytes));
    return Timing.parse(name(), task.operation(), Job.run(PATIENCE, command));
  }
}
