package io.jgloo.bench.compare;

import io.jgloo.bench.compare.Peer.Task;
import io.jgloo.bench.operation.Operation;
import io.jgloo.bench.operation.Operations;
import io.jgloo.bench.report.Comparison;
import io.jgloo.bench.report.Machine;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The measurement that the options ask for. */
final class CompareProgram {

  private final CompareOptions options;
  private final Peers peers;
  private final Machine machine;
  private final PrintWriter progress;

  CompareProgram(CompareOptions options, Peers peers, Machine machine, PrintWriter progress) {
    this.options = options;
    this.peers = peers;
    this.machine = machine;
    this.progress = progress;
  }

  Comparison run() throws InterruptedException {
    Rounds rounds = new Rounds(peers.present(), tasks(), progress);
    int done = rounds.run(options.rounds(), Duration.ofMinutes(options.minutes));
    Map<String, String> modes = new LinkedHashMap<>();
    peers.present().forEach(peer -> modes.put(peer.name(), peer.mode()));
    return new Comparison(
        machine,
        done,
        options.quick,
        modes,
        peers.missing(),
        rounds.failures(),
        new Points(rounds.samples()).all());
  }

  private List<Task> tasks() {
    List<Task> tasks = new ArrayList<>();
    for (int ranks : options.ranks()) {
      for (String name : options.operations()) {
        Operation operation = Operations.named(name).orElseThrow();
        tasks.add(new Task(name, ranks, sizes(operation, ranks), options.millis()));
      }
    }
    return tasks;
  }

  /** As the operation has them: blocks of whole elements. */
  private List<Long> sizes(Operation operation, int ranks) {
    return operation.sized()
        ? options.sizes(operation.name()).stream()
            .map(bytes -> operation.count(bytes / Float.BYTES, ranks) * Float.BYTES)
            .distinct()
            .toList()
        : List.of(0L);
  }
}
