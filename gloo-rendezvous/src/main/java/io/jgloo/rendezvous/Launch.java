package io.jgloo.rendezvous;

import io.jgloo.rendezvous.launch.Environment;
import io.jgloo.rendezvous.launch.Launcher;
import io.jgloo.rendezvous.store.StoreUrl;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The rank, the size and the store of this process, from its launcher.
 *
 * <p>The first launcher whose variables are set is used: {@code GLOO_RANK}, torchrun, Open MPI, PMI
 * (MPICH, Intel MPI), SLURM, a Kubernetes Indexed Job. If two set different ranks (a task of SLURM
 * that starts mpirun) the process is refused, unless {@code GLOO_LAUNCHER} names one: {@code gloo,
 * torchrun, open_mpi, pmi, slurm, indexed_job}. With every launcher, {@code GLOO_STORE} names the
 * store if it is set, then {@code MASTER_ADDR} and {@code MASTER_PORT}, then the launcher's own
 * variables.
 *
 * @param launcher name of the launcher
 * @param rank this rank, 0 to size - 1
 * @param size number of ranks
 * @param store URL of the store, for {@link Stores#open}
 * @param epoch incarnation of the group: how often the launcher has restarted it
 * @param networkInterface the interface to reach the other ranks, if it is set
 * @param timeout how long to wait, if it is set
 */
public record Launch(
    String launcher,
    int rank,
    int size,
    String store,
    long epoch,
    Optional<String> networkInterface,
    Optional<Duration> timeout) {

  private static final Logger LOG = System.getLogger(Launch.class.getName());

  /** Refuses a rank outside the group. */
  public Launch {
    if (size < 1 || rank < 0 || rank >= size) {
      throw new IllegalStateException(
          String.format(
              "%s sets rank %d of %d; the rank must be from 0 to size - 1", launcher, rank, size));
    }
  }

  /**
   * Detects the launcher of this process.
   *
   * @param variables the environment, {@link System#getenv()}
   * @throws IllegalStateException if no launcher is found, with the variables looked for; if
   *     variables are missing, with the name of each; if two launchers disagree
   */
  public static Launch detect(Map<String, String> variables) {
    Environment environment = new Environment(variables);
    List<Launcher> present = present(environment);
    if (present.isEmpty()) {
      throw new IllegalStateException(
          "no launcher's environment: none of GLOO_RANK, RANK (torchrun), OMPI_COMM_WORLD_RANK,"
              + " PMI_RANK, SLURM_PROCID with SLURM_STEP_ID, JOB_COMPLETION_INDEX is set");
    }
    Launcher taken = present.get(0);
    int rank = taken.rank(environment);
    int size = taken.size(environment);
    String store = taken.store(environment);
    environment.requireAll(taken.toString());
    Launch launch =
        new Launch(
            taken.toString(),
            rank,
            size,
            store,
            taken.epoch(environment),
            networkInterface(environment),
            timeout(environment));
    for (Launcher other : present.subList(1, present.size())) {
      requireAgreement(launch, other, new Environment(variables));
    }
    LOG.log(Level.INFO, "started as {0}", launch);
    return launch;
  }

  private static List<Launcher> present(Environment environment) {
    Optional<String> chosen = environment.find("GLOO_LAUNCHER");
    List<Launcher> present = new ArrayList<>();
    for (Launcher launcher : Launcher.values()) {
      if (chosen.isPresent()
          ? launcher.name().equalsIgnoreCase(chosen.get())
          : launcher.isPresent(environment)) {
        present.add(launcher);
      }
    }
    if (chosen.isPresent() && present.isEmpty()) {
      String known =
          Arrays.stream(Launcher.values())
              .map(launcher -> launcher.name().toLowerCase(java.util.Locale.ROOT))
              .collect(Collectors.joining(", "));
      throw new IllegalStateException(
          "GLOO_LAUNCHER must be one of " + known + ", is '" + chosen.get() + "'");
    }
    return present;
  }

  private static void requireAgreement(Launch launch, Launcher other, Environment environment) {
    int rank = other.rank(environment);
    int size = other.size(environment);
    if (size != 0 && (rank != launch.rank() || size != launch.size())) {
      throw new IllegalStateException(
          String.format(
              "%s sets rank %d of %d, %s sets rank %d of %d: set GLOO_LAUNCHER to the one to use",
              launch.launcher(), launch.rank(), launch.size(), other, rank, size));
    }
  }

  /** Gloo and PyTorch allow several interfaces; one is used here. */
  private static Optional<String> networkInterface(Environment environment) {
    Optional<String> names = environment.find("GLOO_SOCKET_IFNAME");
    if (names.isPresent() && names.get().indexOf(',') >= 0) {
      String first = names.get().substring(0, names.get().indexOf(','));
      LOG.log(Level.INFO, "of GLOO_SOCKET_IFNAME={0} only {1} is used", names.get(), first);
      return Optional.of(first);
    }
    return names;
  }

  private static Optional<Duration> timeout(Environment environment) {
    return environment.has("GLOO_TIMEOUT")
        ? Optional.of(Duration.ofSeconds(environment.number("GLOO_TIMEOUT")))
        : Optional.empty();
  }

  /** Rank, size, launcher and store, for the log. */
  @Override
  public String toString() {
    return String.format(
        "rank %d of %d by %s, store %s", rank, size, launcher, StoreUrl.masked(store));
  }
}
