package io.jgloo.bench.ps;

import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.process.Child;
import io.jgloo.bench.process.Job;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Kills one node while workers push and pull, and prints what each other node sees, in milliseconds
 * since the signal.
 */
final class PsKill {
  private static final long START_SECONDS = 120;
  private static final long WATCH_SECONDS = 3;

  /** What a node has reported, when. */
  private record Line(NodeId node, long nanos, String text) {}

  private final PsRun options;
  private final PrintWriter out;
  private final Topology topology;
  private final int port;
  private final Map<NodeId, Child> nodes = new LinkedHashMap<>();
  private final Job job = new Job();
  private final BlockingQueue<Line> arriving = new LinkedBlockingQueue<>();
  private final Set<NodeId> unaware = new HashSet<>(); // survivors that have not reported the loss
  private NodeId victim;
  private long signal;
  private boolean isRight = true;

  PsKill(PsRun options, PrintWriter out) throws IOException {
    this.options = options;
    this.out = out;
    topology = options.topology();
    port = Job.freePort();
  }

  /** Returns whether all survivors reported the loss and no value was wrong, as an exit code. */
  int run() throws IOException, InterruptedException {
    victim = new NodeId(options.victim, topology.count(options.victim) - 1);
    try (job) {
      for (NodeId id : topology.nodes(Topology.ALL)) {
        start(id);
      }
      awaitAll(PsSurvivor.STARTED, nodes.size());
      collect(WATCH_SECONDS, line -> false);
      Child killed = nodes.remove(victim);
      unaware.addAll(nodes.keySet());
      order(PsSurvivor.COUNT);
      arriving.clear();
      printTitle();
      signal = System.nanoTime();
      killed.kill();
      collect(START_SECONDS, line -> unaware.isEmpty());
      collect(WATCH_SECONDS, line -> false);
      if (victim.role() == Role.SERVER && options.replicas > 0) {
        start(victim);
        awaitAll(PsSurvivor.STARTED, 1);
        collect(WATCH_SECONDS, line -> false);
      }
      order(PsSurvivor.REPORT);
      awaitAll(PsSurvivor.REPORTED, nodes.size());
      return isRight && unaware.isEmpty() ? ExitCode.VERIFIED : ExitCode.WRONG;
    }
  }

  private void start(NodeId id) throws IOException {
    ProcessBuilder builder = options.process(id.role(), port);
    builder.environment().put("DMLC_RANK", "" + id.rank());
    Child child = job.start(id.toString(), builder);
    nodes.put(id, child);
    child.follow(text -> arriving.add(new Line(id, System.nanoTime(), text)), null, null);
  }

  private void order(int order) throws IOException {
    for (Child node : nodes.values()) {
      node.write("" + (char) order);
    }
  }

  private void awaitAll(String text, int count) throws IOException, InterruptedException {
    int[] left = {count};
    collect(START_SECONDS, line -> line.text.equals(text) && --left[0] == 0);
    if (left[0] > 0) {
      List<String> errors = nodes.values().stream().flatMap(n -> n.errors().stream()).toList();
      throw new IOException(
          "%d of %d nodes have not %s in %d s: %s"
              .formatted(left[0], count, text, START_SECONDS, String.join("; ", errors)));
    }
  }

  /** Reads lines for some time, or until the last one. */
  private void collect(long seconds, Predicate<Line> isLast) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    Line line;
    do {
      line = arriving.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (line != null && signal != 0 && line.text.startsWith(PsSurvivor.EVENT)) {
        read(line);
      }
    } while (line != null && !isLast.test(line));
  }

  private void read(Line line) {
    String[] words = line.text.split("\\|", 3);
    String after = String.format(Locale.ROOT, "%.1f", (line.nanos - signal) / 1e6);
    out.printf("%-10s %9s  %-22s  %s%n", line.node, after, words[1], words[2]);
    out.flush();
    isRight &= !words[2].contains(PsSurvivor.WRONG);
    if (words[1].equals(victim.toString()) && words[2].startsWith(PsSurvivor.LOST)) {
      unaware.remove(line.node);
    }
  }

  private void printTitle() {
    out.printf(
        Locale.ROOT,
        "# kill -9 of %s: %d servers, %d workers, %d replicas; load %.0f%n",
        victim,
        topology.servers(),
        topology.workers(),
        options.replicas,
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    out.printf("%-10s %9s  %-22s  %s%n", "survivor", "after ms", "subject", "outcome");
  }
}
