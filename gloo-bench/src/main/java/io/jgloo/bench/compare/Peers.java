package io.jgloo.bench.compare;

import io.jgloo.bench.process.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * All peers there could be on this machine, and why some are not there.
 *
 * @param present can be measured, in the order in which a round begins with them
 * @param missing one line each, with what to install
 * @param kernelLoops the driver of C loops, or null if it is missing
 */
record Peers(List<Peer> present, List<String> missing, Path kernelLoops) {

  private static final Duration BUILD = Duration.ofMinutes(5);

  /**
   * Where to look for peers and how they are to be run.
   *
   * @param folder of the drivers' sources and Makefile
   * @param congestion ours and the limit's
   * @param systems the others'
   * @param free no rank is bound to a core; else Open MPI's are, as it binds them by default
   */
  record Search(Path folder, String congestion, String systems, boolean free) {
    Peers find(boolean quick, boolean threads) throws IOException, InterruptedException {
      return Peers.find(this, new OwnPeers(congestion, quick, threads));
    }
  }

  /** Builds what can be built. */
  private static Peers find(Search search, OwnPeers own) throws IOException, InterruptedException {
    Path folder = search.folder;
    String congestion = search.congestion;
    String systems = search.systems;
    Path built = folder.resolveSibling("target").resolve("peers");
    List<String> missing = new ArrayList<>();
    boolean loops =
        build(missing, folder, "kernel", "the C loops of kernels", "gcc make libc6-dev");
    Peers peers =
        new Peers(new ArrayList<>(), missing, loops ? built.resolve("kernel_peer") : null);
    peers.present.addAll(own.all());
    if (build(missing, folder, "limit", "the C limit loop", "gcc make libc6-dev")) {
      peers.present.add(DrivenPeers.limit(built.resolve("limit_peer"), congestion));
    }
    if (build(missing, folder, "gloo", "C++ Gloo", "libgloo-dev g++ make")) {
      peers.present.add(DrivenPeers.gloo(built.resolve("gloo_peer"), systems));
      peers.present.add(DrivenPeers.pollingGloo(built.resolve("gloo_peer"), systems));
    }
    if (build(missing, folder, "mpi", "Open MPI", "openmpi-bin libopenmpi-dev gcc make")) {
      peers.present.add(DrivenPeers.mpiTcp(built.resolve("mpi_peer"), systems, search.free));
      peers.present.add(DrivenPeers.mpiShared(built.resolve("mpi_peer"), search.free));
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
        Job.run(BUILD, List.of("mpirun", "--version"));
      }
      return true;
    } catch (IOException e) {
      String why = e.getMessage().lines().findFirst().orElse("");
      missing.add(name + " (apt-get install " + packages + "): " + why);
      return false;
    }
  }
}
