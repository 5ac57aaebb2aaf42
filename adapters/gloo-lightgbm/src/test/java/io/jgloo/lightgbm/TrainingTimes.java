package io.jgloo.lightgbm;

import com.microsoft.ml.lightgbm.lightgbmlibJNI;
import io.jgloo.ProcessGroup;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.FreePort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Times of a training over LightGBM's sockets and over a group, by turns in the same processes.
 *
 * <p>{@code SIZE ROUNDS SPIN} starts the processes, which are called with {@code RANK SIZE ROUNDS
 * STORE MACHINES SPIN}; spin is the attribute of device tcp. Prints the times of rank 0 in
 * milliseconds.
 */
final class TrainingTimes {
  private static final String PARAMETERS =
      "verbosity=-1 num_threads=1 num_leaves=31 objective=binary tree_learner=data num_machines=";

  private static final int ITERATIONS = 200;

  private TrainingTimes() {}

  public static void main(String[] args) throws Exception {
    if (args.length == 3) {
      start(Integer.parseInt(args[0]), Integer.parseInt(args[1]), args[2]);
      return;
    }
    int rank = Integer.parseInt(args[0]);
    int size = Integer.parseInt(args[1]);
    int rounds = Integer.parseInt(args[2]);
    String[] machines = args[4].split(";"); // of each round, as sockets do not bind a port again
    try (ProcessGroup group =
        ProcessGroup.builder()
            .rank(rank)
            .size(size)
            .store(args[3])
            .timeout(Duration.ofSeconds(120))
            .device("tcp", DeviceOptions.DEFAULTS.with("spin", args[5]))
            .connect()) {
      LightGbmLibrary.load();
      double[] sockets = new double[rounds];
      double[] ours = new double[rounds];
      for (int round = -1; round < rounds; round++) { // the first is not counted
        String all = machines[round + 1];
        int port = Integer.parseInt(all.split(",")[rank].replaceAll(".*:", ""));
        Booster.check("LGBM_NetworkInit", lightgbmlibJNI.LGBM_NetworkInit(all, port, 120, size));
        double first = train(rank, size);
        lightgbmlibJNI.LGBM_NetworkFree();
        group.barrier();
        double second;
        LightGbmNetwork network = LightGbmNetwork.open(group);
        second = train(rank, size);
        network.close();
        group.barrier();
        if (round >= 0) {
          sockets[round] = first;
          ours[round] = second;
        }
      }
      if (rank == 0) {
        print("sockets", sockets);
        print("group  ", ours);
      }
    }
  }

  private static void print(String name, double[] millis) {
    double[] sorted = millis.clone();
    Arrays.sort(sorted);
    System.out.printf(
        Locale.ROOT,
        "%s median %.0f ms, least %.0f, all %s%n",
        name,
        sorted[sorted.length / 2],
        sorted[0],
        Arrays.toString(millis));
  }

  private static double train(int rank, int size) {
    Rows rows = new Rows(rank, 10_000, 2);
    try (Dataset data = new Dataset(rows.training(), PARAMETERS + size, null);
        Booster booster = Booster.of(data, PARAMETERS + size)) {
      booster.update(); // all are there
      long start = System.nanoTime();
      for (int i = 0; i < ITERATIONS; i++) {
        booster.update();
      }
      return (System.nanoTime() - start) / 1e6;
    }
  }

  private static void start(int size, int rounds, String spin) throws Exception {
    Set<Integer> ports = new LinkedHashSet<>();
    while (ports.size() < size * (rounds + 1)) {
      ports.add(FreePort.choose());
    }
    StringBuilder machines = new StringBuilder();
    int number = 0;
    for (int port : ports) {
      machines.append("127.0.0.1:").append(port).append(++number % size == 0 ? ';' : ',');
    }
    Path store = Files.createTempDirectory("times");
    List<Process> ranks = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.addAll(List.of(TrainingTimes.class.getName(), "" + rank, "" + size, "" + rounds));
      command.addAll(List.of(store.toUri().toString(), machines.toString(), spin));
      ranks.add(new ProcessBuilder(command).inheritIO().start());
    }
    for (Process rank : ranks) {
      rank.waitFor();
    }
  }
}
