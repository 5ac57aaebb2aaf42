package io.jgloo.bench.compare;

import io.jgloo.bench.compare.Peer.Task;
import io.jgloo.bench.compare.Peer.Timing;
import io.jgloo.bench.process.Job;
import io.jgloo.bench.process.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * All peers there could be on this machine, and why some are not there.
 *
 * @param present can be measured, in the order in which a round begins with them
 * @param missing one line each, with what to install
 */
record Peers(List<Peer> present, List<String> missing) {

  /** What the drivers of other libraries can do. */
  static final Set<String> OPERATIONS =
      Set.of("allreduce", "broadcast", "barrier", "allgather", "alltoall", "reduceScatter");

  /** Both sides of a polling pair block in write when a message outgrows what sockets hold. */
  private static final long POLLING_BYTES = 1 << 20;

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration BUILD = Duration.ofMinutes(5);

  /**
   * Builds what can be built.
   *
   * @param own the forms of this library
   * @param folder of the drivers' sources and Makefile
   * @param systems congestion control of the others; the limit has that of ours
   * @param free no rank is bound to a core; else Open MPI's are, as it binds them by default
   */
  static Peers find(OwnPeers own, Path folder, String systems, boolean free)
      throws InterruptedException {
    Path built = folder.resolveSibling("target").resolve("peers");
    List<String> missing = new ArrayList<>();
    Peers peers = new Peers(new ArrayList<>(), missing);
    peers.present.addAll(own.all());
    if (build(missing, folder, "limit", "the C limit loop", "gcc make libc6-dev")) {
      peers.present.add(limit(built.resolve("limit_peer"), own.congestion()));
    }
    if (build(missing, folder, "gloo", "C++ Gloo", "libgloo-dev g++ make")) {
      peers.present.add(gloo(built.resolve("gloo_peer"), systems));
      peers.present.add(pollingGloo(built.resolve("gloo_peer"), systems));
    }
    if (build(missing, folder, "mpi", "Open MPI", "openmpi-bin libopenmpi-dev gcc make")) {
      peers.present.add(mpiTcp(built.resolve("mpi_peer"), systems, free));
      peers.present.add(mpiShared(built.resolve("mpi_peer"), free));
    }
    if (build(missing, folder, "mpich", "MPICH", "mpich libmpich-dev gcc make")) {
      peers.present.add(mpich(Series.MPICH_TCP, built.resolve("mpich_peer"), true));
      peers.present.add(mpich(Series.MPICH_SHM, built.resolve("mpich_peer"), false));
    }
    return peers;
  }

  private static boolean build(
      List<String> missing, Path folder, String target, String name, String packages)
      throws InterruptedException {
    try {
      if (!Files.exists(folder.resolve("Makefile"))) {
        throw new IOException("there is no " + folder.resolve("Makefile"));
      }
      Job.run(BUILD, List.of("make", "-s", "-C", folder.toString(), target));
      if (target.equals("mpi")) {
        Job.run(BUILD, List.of("mpirun.openmpi", "--version"));
      }
      return true;
    } catch (IOException e) {
      String why = e.getMessage().lines().findFirst().orElse("");
      missing.add(name + " (apt-get install " + packages + "): " + why);
      return false;
    }
  }

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
          List<String> command = new ArrayList<>(List.of("mpirun.openmpi", "--allow-run-as-root"));
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

  /**
   * MPICH as Debian builds it, on libfabric.
   *
   * @param tcp no shared memory within the host, and libfabric's provider of sockets
   */
  private static Peer mpich(String series, Path driver, boolean tcp) {
    return new Peer(
        series,
        (tcp ? "MPIR_CVAR_NOLOCAL=1 FI_PROVIDER=tcp" : "as installed") + ", not bound to cores",
        task -> OPERATIONS.contains(task.operation()),
        task -> {
          List<String> command = new ArrayList<>(List.of("mpirun.mpich", "-bind-to", "none"));
          if (tcp) {
            command.addAll(List.of("-genv", "MPIR_CVAR_NOLOCAL", "1"));
            command.addAll(List.of("-genv", "FI_PROVIDER", "tcp"));
          }
          command.addAll(List.of("-n", "" + task.ranks()));
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
