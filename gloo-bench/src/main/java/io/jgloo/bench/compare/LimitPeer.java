package io.jgloo.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What the kernel allows: a plain C loop over one loopback connection. */
record LimitPeer(Path driver, String congestion) implements Peer {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Override
  public String name() {
    return "C limit";
  }

  @Override
  public String mode() {
    return "two processes, non-blocking calls in a loop, congestion control " + congestion;
  }

  @Override
  public boolean measures(Task task) {
    return task.operation().equals("allreduce") && task.ranks() == 2;
  }

  @Override
  public List<Timing> measure(Task task) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(driver.toString(), congestion, task.seconds()));
    task.sizes().forEach(bytes -> command.add("" + bytes));
    List<String> lines = Job.run(PATIENCE, command);
    List<Timing> timings = new ArrayList<>(Timing.parse(Series.EXCHANGE, "exchange", lines));
    timings.addAll(Timing.parse(Series.ONE_WAY, "oneway", lines));
    timings.addAll(Timing.parse(Series.PINGPONG, "pingpong", lines));
    return timings;
  }
}
