package io.jgloo.bench.compare;

import io.jgloo.bench.compare.Peer.Task;
import io.jgloo.bench.compare.Peer.Timing;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Measures tasks with all peers by turns, so that what the machine does in a minute hits all alike.
 *
 * <p>In each round every peer measures every task once; the first one changes from round to round.
 */
final class Rounds {

  /** A timing, and the round and task it belongs to. */
  record Sample(String operation, int ranks, int round, Timing timing) {}

  private final List<Peer> peers;
  private final List<Task> tasks;
  private final PrintWriter progress;
  private final List<Sample> samples = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  /**
   * @param progress gets what is being measured
   */
  Rounds(List<Peer> peers, List<Task> tasks, PrintWriter progress) {
    this.peers = peers;
    this.tasks = tasks;
    this.progress = progress;
  }

  void run(int rounds) throws InterruptedException {
    List<Peer> order = new ArrayList<>(peers);
    for (int round = 0; round < rounds; round++) {
      for (Task task : tasks) {
        for (Peer peer : order) {
          if (peer.measures().test(task)) {
            progress.printf("round %d of %d: %s, %s%n", round + 1, rounds, task, peer.name());
            progress.flush();
            measure(peer, task, round);
          }
        }
      }
      Collections.rotate(order, 1);
    }
  }

  private void measure(Peer peer, Task task, int round) throws InterruptedException {
    try {
      for (Timing timing : peer.measurement().measure(task)) {
        samples.add(new Sample(task.operation(), task.ranks(), round, timing));
      }
    } catch (IOException e) {
      failures.add(peer.name() + ", " + task + ", round " + (round + 1) + ": " + e.getMessage());
      progress.println("  failed: " + e.getMessage());
    }
  }

  List<Sample> samples() {
    return samples;
  }

  /** What could not be measured, and why. */
  List<String> failures() {
    return failures;
  }
}
