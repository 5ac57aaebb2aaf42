package io.jgloo.bench.compare;

import java.io.IOException;
import java.util.List;

/** Our transport without executor and facade: an exchange over a bare pair. */
record PairPeer(String congestion) implements Peer {

  private static final long MOST_BYTES = 1 << 20;

  @Override
  public String name() {
    return Series.PAIR;
  }

  @Override
  public String mode() {
    return "a JVM per rank, both send and receive at once, no executor, no facade";
  }

  @Override
  public boolean measures(Task task) {
    return task.operation().equals("allreduce") && task.ranks() == 2;
  }

  @Override
  public List<Timing> measure(Task task) throws IOException, InterruptedException {
    ProbeRun run = ProbeRun.of("exchange", congestion).with(task.millis());
    for (long bytes : task.sizesTo(MOST_BYTES)) {
      run = run.with(bytes);
    }
    return Timing.parse(name(), "exchange", run.processes(task.ranks()));
  }
}
