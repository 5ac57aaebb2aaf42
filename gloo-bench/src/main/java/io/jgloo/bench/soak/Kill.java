package io.jgloo.bench.soak;

import io.jgloo.bench.process.Child;
import io.jgloo.bench.report.KillReport;
import io.jgloo.bench.report.Machine;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.StoreCodec;
import io.jgloo.rendezvous.store.TcpStoreLimits;
import io.jgloo.rendezvous.store.TcpStoreServer;
import io.jgloo.transport.Membership;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Kills one process of several ranks, and collects what the other ranks report.
 *
 * <p><em>Threads</em>: one. <em>Owns</em>: the processes, and the store in which they meet.
 */
final class Kill {
  private static final int MOST_DEFECTS = 20;

  private final KillCommand options;
  private final List<Child> processes = new CopyOnWriteArrayList<>();
  private final BlockingQueue<List<String>> lines = new LinkedBlockingQueue<>();
  private final Map<String, Map<Integer, List<String>>> heard = new TreeMap<>();
  private final List<String> defects = new ArrayList<>();
  private final List<Double> failures = new ArrayList<>();
  private final List<Double> formations = new ArrayList<>();
  private final Map<String, Integer> errors = new TreeMap<>();
  private final Map<String, Integer> named = new TreeMap<>();

  Kill(KillCommand options) {
    this.options = options;
  }

  KillReport run() throws IOException, InterruptedException {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    Thread hook = new Thread(() -> processes.forEach(Child::kill), "kill-stop-ranks");
    Runtime.getRuntime().addShutdownHook(hook);
    try (TcpStoreServer server =
        Stores.startServer(anyPort, TcpStoreLimits.DEFAULT, StoreCodec.PYTORCH)) {
      long start = System.nanoTime();
      for (int process = 0; process < options.processes; process++) {
        start(process, server.port());
      }
      await(KillRank.WORKING, options.ranks);
      double ready = (System.nanoTime() - start) / 1e9;
      if (defects.isEmpty()) {
        kill();
      }
      return report(ready);
    } finally {
      processes.forEach(Child::kill); // again by the hook, which does no harm
    }
  }

  private int first(int process) {
    return (int) ((long) process * options.ranks / options.processes);
  }

  private void start(int process, int port) throws IOException {
    List<String> command = new ArrayList<>(Child.java(KillRank.class));
    command.addAll(List.of("" + port, "" + options.timeout, "" + options.calls));
    command.addAll(List.of("" + options.ranks, "" + first(process), "" + (first(process + 1) - 1)));
    options.attributes.forEach((name, value) -> command.add(name + "=" + value));
    Child child = new Child("process " + process, new ProcessBuilder(command));
    processes.add(child);
    child.follow(this::hear, child::keep, unused -> {});
  }

  /** Lines are words and, at the end of some, a text. */
  private void hear(String line) {
    if (KillRank.isWord(line.split(" ", 2)[0])) {
      lines.add(List.of(line.split(" ", 6)));
    }
  }

  private void kill() throws InterruptedException {
    int victims = first(options.processes - 1);
    long instant = System.nanoTime();
    processes.get(options.processes - 1).kill();
    for (List<String> line : await(KillRank.FAILED, victims)) {
      failures.add(millis(line, instant));
      errors.merge(line.get(3), 1, Integer::sum);
      named.merge(line.get(4), 1, Integer::sum);
      boolean right = line.get(4).matches("\\d+") && Integer.parseInt(line.get(4)) >= victims;
      if (!right) {
        defect("rank " + line.get(1) + " names no killed rank: " + line.subList(3, line.size()));
      }
    }
    for (List<String> line : await(KillRank.FORMED, victims)) {
      formations.add(millis(line, instant));
      if (!line.get(3).equals("" + victims)) {
        defect("rank " + line.get(1) + " is in a group of " + line.get(3) + ", not " + victims);
      }
    }
  }

  private static double millis(List<String> line, long instant) {
    return (Long.parseLong(line.get(2)) - instant) / 1e6;
  }

  /** The lines that begin with a word, one of each of the first ranks that has no other answer. */
  private Collection<List<String>> await(String word, int ranks) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(2L * options.timeout);
    Map<Integer, List<String>> found = heard(word);
    while (found.size() + heard(KillRank.BROKEN).size() < ranks) {
      List<String> line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (line == null) {
        Set<Integer> missing = IntStream.range(0, ranks).boxed().collect(Collectors.toSet());
        missing.removeAll(found.keySet());
        String who = Membership.list(missing);
        defect("ranks " + who + " have not " + word + " in " + 2 * options.timeout + " s");
        break;
      }
      heard(line.get(0)).put(Integer.parseInt(line.get(1)), line);
      if (line.get(0).equals(KillRank.WRONG) || line.get(0).equals(KillRank.BROKEN)) {
        defect(String.join(" ", line));
      }
    }
    return found.values();
  }

  private Map<Integer, List<String>> heard(String word) {
    return heard.computeIfAbsent(word, unused -> new TreeMap<>());
  }

  private KillReport report(double ready) throws InterruptedException {
    return new KillReport(
        Machine.now(),
        options.ranks,
        options.processes,
        options.ranks - first(options.processes - 1),
        ready,
        errors,
        named,
        KillReport.Times.of(failures),
        KillReport.Times.of(formations),
        heard(KillRank.WRONG).size(),
        defects);
  }

  private void defect(String text) {
    if (defects.size() < MOST_DEFECTS) {
      defects.add(text);
    }
  }
}
