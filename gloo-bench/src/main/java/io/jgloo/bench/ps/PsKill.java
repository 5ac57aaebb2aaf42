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
import java.util.ArrayList;
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

  /** What a node has reported, when, and as an event if it is one. */
  private record Line(NodeId node, long nanos, String text) {
    boolean isEvent() {
      return text.indexOf(PsSurvivor.EVENT) == 0;
    }

    String subject() {
      return text.split("\\|", 3)[1];
    }

    String outcome() {
      return text.split("\\|", 3)[2];
    }
  }

  private final PsRun options;
  private final PrintWriter out;
  private final Topology topology;
  private final int port;
  private final Map<NodeId, Child> nodes = new LinkedHashMap<>();
  private final List<Child> started = new ArrayList<>();
  private final BlockingQueue<Line> arriving = new LinkedBlockingQueue<>();
  private final List<Line> events = new ArrayList<>();

  PsKill(PsRun options, PrintWriter out) throws IOException {
    this.options = options;
    this.out = out;
    topology = options.topology();
    port = Job.freePort();
  }

  int run() throws IOException, InterruptedException {
    NodeId victim = new NodeId(options.victim, topology.count(options.victim) - 1);
    try {
      for (NodeId id : topology.nodes(Topology.ALL)) {
        start(id);
      }
      awaitAll(PsSurvivor.STARTED, nodes.size());
      watch();
      Child killed = nodes.remove(victim);
      order(PsSurvivor.COUNT);
      arriving.drainTo(new ArrayList<>());
      events.clear();
      long signal = System.nanoTime();
      killed.kill();
      awaitLosses(victim);
      watch();
      if (victim.role() == Role.SERVER && options.replicas > 0) {
        start(victim);
        awaitAll(PsSurvivor.STARTED, 1);
        watch();
      }
      order(PsSurvivor.REPORT);
      awaitAll(PsSurvivor.REPORTED, nodes.size());
      print(victim, signal);
      return exitCode(victim);
    } finally {
      started.forEach(Child::stop);
    }
  }

  private void start(NodeId id) throws IOException {
    ProcessBuilder builder = options.process(id.role(), port);
    builder.environment().put("DMLC_RANK", "" + id.rank());
    Child child = new Child(id.toString(), builder);
    started.add(child);
    nodes.put(id, child);
    child.follow(
        text -> arriving.add(new Line(id, System.nanoTime(), text)), child::keep, unused -> {});
  }

  private void order(int order) throws IOException {
    for (Child node : nodes.values()) {
      node.write("" + (char) order);
    }
  }

  /** Waits until all survivors have reported the loss, or for a long time. */
  private void awaitLosses(NodeId victim) throws InterruptedException {
    Set<NodeId> left = new HashSet<>(nodes.keySet());
    collect(
        START_SECONDS,
        line -> {
          if (isLoss(line, victim)) {
            left.remove(line.node);
          }
          return left.isEmpty();
        });
  }

  private static boolean isLoss(Line line, NodeId victim) {
    return line.isEvent()
        && line.subject().equals(victim.toString())
        && line.outcome().startsWith(PsSurvivor.LOST);
  }

  /** Collects events for some time. */
  private void watch() throws InterruptedException {
    collect(WATCH_SECONDS, line -> false);
  }

  private void awaitAll(String text, int count) throws IOException, InterruptedException {
    int[] left = {count};
    collect(START_SECONDS, line -> line.text.equals(text) && --left[0] == 0);
    if (left[0] > 0) {
      List<String> errors = nodes.values().stream().flatMap(n -> n.errors().stream()).toList();
      throw new IOException(
          left[0]
              + " of "
              + count
              + " nodes have not "
              + text
              + " in "
              + START_SECONDS
              + " s"
              + ": "
              + String.join("; ", errors));
    }
  }

  private void collect(long seconds, Predicate<Line> isLast) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (true) {
      Line line = arriving.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (line != null && line.isEvent()) {
        events.add(line);
      }
      if (line == null || isLast.test(line)) {
        return;
      }
    }
  }

  private void print(NodeId victim, long signal) {
    out.printf(
        Locale.ROOT,
        "# kill -9 of %s: %d servers, %d workers, %d replicas; load %.0f%n",
        victim,
        topology.servers(),
        topology.workers(),
        options.replicas,
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    out.printf("%-10s %9s  %-22s  %s%n", "survivor", "after ms", "subject", "outcome");
    for (NodeId node : nodes.keySet()) {
      for (Line event : events) {
        if (event.node.equals(node)) {
          String after = String.format(Locale.ROOT, "%.1f", (event.nanos - signal) / 1e6);
          out.printf("%-10s %9s  %-22s  %s%n", node, after, event.subject(), event.outcome());
        }
      }
    }
  }

  /** Whether all survivors have reported the loss, and no value was wrong. */
  private int exitCode(NodeId victim) {
    boolean isRight =
        events.stream().noneMatch(event -> event.outcome().contains(PsSurvivor.WRONG));
    for (NodeId node : topology.nodes(Topology.ALL)) {
      isRight &=
          node.equals(victim)
              || events.stream()
                  .anyMatch(event -> event.node.equals(node) && isLoss(event, victim));
    }
    return isRight ? ExitCode.VERIFIED : ExitCode.WRONG;
  }
}
