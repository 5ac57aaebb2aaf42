package io.jgloo.bench.compare;

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
   * Builds what can be built.
   *
   * @param folder of the drivers' sources and Makefile
   * @param congestion ours and the limit's; the others have the system's
   */
  static Peers find(Path folder, String congestion, String systems, boolean quick)
      throws IOException, InterruptedException {
    Path built = folder.resolveSibling("target").resolve("peers");
    List<String> missing = new ArrayList<>();
    boolean loops =
        build(missing, folder, "kernel", "the C loops of kernels", "gcc make libc6-dev");
    Peers peers =
        new Peers(new ArrayList<>(), missing, loops ? built.resolve("kernel_peer") : null);
    peers.present.add(new OwnPeer(OwnPeer.Form.DIRECT, congestion, quick));
    peers.present.add(new OwnPeer(OwnPeer.Form.SHARED, congestion, quick));
    peers.present.add(new PairPeer(congestion));
    peers.present.add(new OwnPeer(OwnPeer.Form.HEAP, congestion, quick));
    peers.present.add(new OwnPeer(OwnPeer.Form.GLOO, congestion, quick));
    if (build(missing, folder, "limit", "the C limit loop", "gcc make libc6-dev")) {
      peers.present.add(new LimitPeer(built.resolve("limit_peer"), congestion));
    }
    if (build(missing, folder, "gloo", "C++ Gloo", "libgloo-dev g++ make")) {
      peers.present.add(new GlooPeer(built.resolve("gloo_peer"), false, systems));
      peers.present.add(new GlooPeer(built.resolve("gloo_peer"), true, systems));
    }
    if (build(missing, folder, "mpi", "Open MPI", "openmpi-bin libopenmpi-dev gcc make")) {
      peers.present.add(new MpiPeer(built.resolve("mpi_peer"), false, systems));
      peers.present.add(new MpiPeer(built.resolve("mpi_peer"), true, systems));
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
