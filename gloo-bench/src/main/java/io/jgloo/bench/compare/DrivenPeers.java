package io.jgloo.bench.compare;

import io.jgloo.bench.compare.Peer.Task;
import io.jgloo.bench.compare.Peer.Timing;
import io.jgloo.bench.process.Job;
import io.jgloo.bench.process.TemporaryFolder;
import io.jgloo.bench.report.Target.Series;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Other libraries and the kernel's limit, by the drivers in {@code gloo-bench/peers}. */
final class DrivenPeers {
  /** What the drivers of other libraries can do. */
  static final Set<String> OPERATIONS =
      Set.of("allreduce", "broadcast", "barrier", "allgather", "alltoall", "reduceScatter");

  /** Both sides of a polling pair block in write when a message outgrows what sockets hold. */
  private static final long POLLING_BYTES = 1 << 20;

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private DrivenPeers() {}

  /** What the kernel allows: a plain C loop over one loopback connection. */
  static Peer limit(Path driver, String congestion) {
    return new Peer(
        "C limit",
        "two processes, non-blocking calls in a loop, congestion control " + congestion,
        task -> task.isAllreduce() && task.ranks() == 2,
        task -> {
          List<String> lines = Job.run(PATIENCE, command(task, driver, congestion, task.seconds()));
          List<Timing> timings = new ArrayList<>(Timing.parse(Series.EXCHANGE, "exchange", lines));
          timings.addAll(Timing.parse(Series.ONE_WAY, "oneway", lines));
          timings.addAll(Timing.parse(Series.PINGPONG, "pingpong", lines));
          return timings;
        });
  }

  /** C++ Gloo in its default mode. */
  static Peer gloo(Path driver, String congestion) {
    return new Peer(
        Series.GLOO,
        "function API, its event loop's thread, in place, congestion control " + congestion,
        task -> OPERATIONS.contains(task.operation()),
        task -> gloo(Series.GLOO, driver, "default", task, task.sizes()));
  }

  /** C++ Gloo on synchronous pairs that poll, which only its class algorithms can use. */
  static Peer pollingGloo(Path driver, String congestion) {
    return new Peer(
        Series.POLLING,
        "class AllreduceRing, synchronous pairs, busy polling, up to 1 MiB, congestion control "
            + congestion,
        task -> task.isAllreduce() && task.ranks() <= cores(),
        task -> {
          List<Timing> timings = new ArrayList<>();
          for (long bytes : task.sizesTo(POLLING_BYTES)) {
            timings.addAll(gloo(Series.POLLING, driver, "polling", task, List.of(bytes)));
          }
          return timings;
        });
  }

  private static List<Timing> gloo(
      String series, Path driver, String mode, Task task, List<Long> sizes)
      throws IOException, InterruptedException {
    try (TemporaryFolder store = TemporaryFolder.create()) {
      List<List<String>> commands = new ArrayList<>();
      for (int rank = 0; rank < task.ranks(); rank++) {
        List<String> command = new ArrayList<>();
        command.addAll(List.of(driver.toString(), mode, task.operation(), "" + rank));
        command.addAll(List.of("" + task.ranks(), store.path().toString(), task.seconds()));
        sizes.forEach(bytes -> command.add("" + bytes));
        commands.add(command);
      }
      return Timing.parse(series, task.operation(), Job.run(commands, PATIENCE));
    }
  }

  /**
   * Open MPI over TCP.
   *
   * @param free no rank is bound to a core
   */
  static Peer mpiTcp(Path driver, String congestion, boolean free) {
    String mode = "btl tcp over lo, congestion control " + congestion;
    return mpi(Series.MPI_TCP, driver, free, mode, "tcp,self", "--mca", "btl_tcp_if_include", "lo");
  }

  /** Open MPI through shared memory. */
  static Peer mpiShared(Path driver, boolean free) {
    return mpi(Series.MPI_SHM, driver, free, "btl vader", "vader,self");
  }

  private static Peer mpi(
      String series, Path driver, boolean free, String mode, String transports, String... options) {
    return new Peer(
        series,
        mode + ", polling, " + (free ? "not bound to cores" : "bound as mpirun does by default"),
        task -> OPERATIONS.contains(task.operation()),
        task -> {
          List<String> command = new ArrayList<>(List.of("mpirun", "--allow-run-as-root"));
          command.addAll(List.of("-np", "" + task.ranks(), "--mca", "pml", "ob1"));
          command.addAll(List.of("--mca", "btl", transports));
          command.addAll(List.of(options));
          if (free) {
            command.addAll(List.of("--bind-to", "none"));
          }
          if (task.ranks() > cores()) {
            command.add("--oversubscribe");
          }
          command.addAll(command(task, driver, task.operation(), task.seconds()));
          return Timing.parse(series, task.operation(), Job.run(PATIENCE, command));
        });
  }

  private static List<String> command(Task task, Path driver, String... options) {
    List<String> command = new ArrayList<>(List.of(driver.toString()));
    command.addAll(List.of(options));
    task.sizes().forEach(bytes -> command.add("" + bytes));
    return command;
  }

  private static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }
}
