package io.jgloo.bench.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jgloo.bench.Main;
import io.jgloo.bench.compare.Peer.Task;
import io.jgloo.bench.compare.Peer.Timing;
import io.jgloo.bench.process.Child;
import io.jgloo.bench.process.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

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
  static Peers find(Own own, Path folder, String systems, boolean free)
      throws InterruptedException {
    Path built = folder.resolveSibling("target").resolve("peers");
    Peers peers = new Peers(new ArrayList<>(own.all()), new ArrayList<>());
    if (peers.build(folder, "limit", "the C limit loop", "gcc make libc6-dev")) {
      peers.present.add(limit(built.resolve("limit_peer"), own.congestion()));
    }
    if (peers.build(folder, "gloo", "C++ Gloo", "libgloo-dev g++ make")) {
      Path driver = built.resolve("gloo_peer");
      String control = ", congestion control " + systems;
      peers.add(
          Peer.GLOO,
          "function API, its event loop's thread, in place" + control,
          task -> gloo(Peer.GLOO, driver, "default", task, task.words()));
      peers.present.add(
          new Peer(
              Peer.POLLING,
              "class AllreduceRing, synchronous pairs, busy polling, up to 1 MiB" + control,
              task -> task.isAllreduce() && task.ranks() <= cores(),
              task -> polling(driver, task)));
    }
    if (peers.build(folder, "mpi", "Open MPI", "openmpi-bin libopenmpi-dev gcc make")) {
      Path driver = built.resolve("mpi_peer");
      String binding = free ? "not bound to cores" : "bound as mpirun does by default";
      List<String> tcp = List.of("tcp,self", "--mca", "btl_tcp_if_include", "lo");
      peers.add(
          Peer.MPI_TCP,
          "btl tcp over lo, congestion control " + systems + ", polling, " + binding,
          task -> openMpi(Peer.MPI_TCP, driver, free, task, tcp));
      peers.add(
          Peer.MPI_SHM,
          "btl vader, polling, " + binding,
          task -> openMpi(Peer.MPI_SHM, driver, free, task, List.of("vader,self")));
    }
    if (peers.build(folder, "mpich", "MPICH", "mpich libmpich-dev gcc make")) {
      Path driver = built.resolve("mpich_peer");
      // No shared memory within the host, and libfabric's provider of sockets.
      List<String> tcp = List.of("-genv", "MPIR_CVAR_NOLOCAL", "1", "-genv", "FI_PROVIDER", "tcp");
      peers.add(
          Peer.MPICH_TCP,
          "MPIR_CVAR_NOLOCAL=1 FI_PROVIDER=tcp, not bound to cores",
          task -> mpich(Peer.MPICH_TCP, driver, task, tcp));
      peers.add(
          Peer.MPICH_SHM,
          "as installed, not bound to cores",
          task -> mpich(Peer.MPICH_SHM, driver, task, List.of()));
    }
    return peers;
  }

  private void add(String series, String mode, Peer.Measurement measurement) {
    Predicate<Task> measures = task -> OPERATIONS.contains(task.operation());
    present.add(new Peer(series, mode, measures, measurement));
  }

  private boolean build(Path folder, String target, String name, String packages)
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
          List<Timing> timings = new ArrayList<>(Timing.parse(Peer.EXCHANGE, "exchange", lines));
          timings.addAll(Timing.parse(Peer.ONE_WAY, "oneway", lines));
          timings.addAll(Timing.parse(Peer.PINGPONG, "pingpong", lines));
          return timings;
        });
  }

  /** C++ Gloo on synchronous pairs that poll, which only its class algorithms can use. */
  private static List<Timing> polling(Path driver, Task task)
      throws IOException, InterruptedException {
    List<Timing> timings = new ArrayList<>();
    for (String bytes : task.words()) {
      if (Long.parseLong(bytes) <= POLLING_BYTES) {
        timings.addAll(gloo(Peer.POLLING, driver, "polling", task, List.of(bytes)));
      }
    }
    return timings;
  }

  private static List<Timing> gloo(
      String series, Path driver, String mode, Task task, List<String> sizes)
      throws IOException, InterruptedException {
    Path store = Files.createTempDirectory("jgloo-bench");
    try {
      List<List<String>> commands = new ArrayList<>();
      for (int rank = 0; rank < task.ranks(); rank++) {
        List<String> command = new ArrayList<>();
        command.addAll(List.of(driver.toString(), mode, task.operation(), "" + rank));
        command.addAll(List.of("" + task.ranks(), store.toString(), task.seconds()));
        command.addAll(sizes);
        commands.add(command);
      }
      return Timing.parse(series, task.operation(), Job.run(commands, PATIENCE));
    } finally {
      Job.run(PATIENCE, List.of("rm", "-r", store.toString()));
    }
  }

  private static List<Timing> openMpi(
      String series, Path driver, boolean free, Task task, List<String> transports)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("mpirun.openmpi", "--allow-run-as-root"));
    command.addAll(List.of("-np", "" + task.ranks(), "--mca", "pml", "ob1", "--mca", "btl"));
    command.addAll(transports);
    if (free) {
      command.addAll(List.of("--bind-to", "none"));
    }
    if (task.ranks() > cores()) {
      command.add("--oversubscribe");
    }
    return mpi(series, driver, task, command);
  }

  /** MPICH as Debian builds it, on libfabric. */
  private static List<Timing> mpich(String series, Path driver, Task task, List<String> variables)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("mpirun.mpich", "-bind-to", "none"));
    command.addAll(variables);
    command.addAll(List.of("-n", "" + task.ranks()));
    return mpi(series, driver, task, command);
  }

  private static List<Timing> mpi(String series, Path driver, Task task, List<String> start)
      throws IOException, InterruptedException {
    start.addAll(command(task, driver, task.operation(), task.seconds()));
    return Timing.parse(series, task.operation(), Job.run(PATIENCE, start));
  }

  private static List<String> command(Task task, Path driver, String... options) {
    List<String> command = new ArrayList<>(List.of(driver.toString()));
    command.addAll(List.of(options));
    command.addAll(task.words());
    return command;
  }

  private static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  /**
   * This library in several forms, by the program behind {@code gloo-bench/run}.
   *
   * @param congestion congestion control
   * @param quick to see that it works, not how fast
   */
  record Own(String congestion, boolean quick) {
    private static final Duration RUN = Duration.ofMinutes(5);
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
      String document = String.join("\n", Job.run(RUN, command));
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
}
