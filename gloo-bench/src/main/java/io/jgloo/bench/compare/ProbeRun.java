package io.jgloo.bench.compare;

import io.jgloo.bench.Jvm;
import io.jgloo.bench.probe.ProbeMain;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A probe about to be run.
 *
 * @param arguments of the probe itself
 */
record ProbeRun(String probe, String congestion, List<String> arguments) {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  static ProbeRun of(String probe, String congestion) {
    return new ProbeRun(probe, congestion, List.of());
  }

  ProbeRun with(Object argument) {
    List<String> more = new ArrayList<>(arguments);
    more.add(argument.toString());
    return new ProbeRun(probe, congestion, more);
  }

  /** A process per rank; what rank 0 says. */
  List<String> processes(int size) throws IOException, InterruptedException {
    try (TemporaryFolder store = TemporaryFolder.create()) {
      List<List<String>> commands = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        commands.add(command("" + rank, size, "file://" + store.path()));
      }
      return Job.run(commands, PATIENCE);
    }
  }

  /** All ranks as threads of one process. */
  List<String> threads(int size) throws IOException, InterruptedException {
    return Job.run(PATIENCE, command("all", size, "-"));
  }

  private List<String> command(String rank, int size, String store) {
    List<String> command = Jvm.command(ProbeMain.class);
    command.addAll(List.of(probe, rank, "" + size, store, congestion));
    command.addAll(arguments);
    return command;
  }
}
