package io.jgloo.bench.compare;

import io.jgloo.bench.compare.CompareOptions.Part;
import io.jgloo.bench.compare.Peer.Task;
import io.jgloo.bench.operation.Operation;
import io.jgloo.bench.operation.Operations;
import io.jgloo.bench.probe.ProbeMain;
import io.jgloo.bench.report.Comparison;
import io.jgloo.bench.report.Machine;
import io.jgloo.bench.report.Target;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures what the options ask for, part by part; a part that fails is reported and left out. */
final class CompareProgram {

  private static final long MIB = 1 << 20;
  private static final long LOAD_SAMPLES = 6;

  private final CompareOptions options;
  private final Peers peers;
  private final Machine machine;
  private final PrintWriter progress;
  private final List<String> failures = new ArrayList<>();

  CompareProgram(CompareOptions options, Peers peers, Machine machine, PrintWriter progress) {
    this.options = options;
    this.peers = peers;
    this.machine = machine;
    this.progress = progress;
  }

  /** Something that may not be measurable here. */
  @FunctionalInterface
  private interface Measurement {
    List<Map<String, Object>> measure() throws IOException, InterruptedException;
  }

  Comparison run() throws InterruptedException {
    Rounds rounds = new Rounds(peers.present(), tasks(), progress);
    List<Target.Result> results = new ArrayList<>();
    int done =
        options.has(Part.PEERS)
            ? rounds.run(options.rounds(), Duration.ofMinutes(options.minutes))
            : options.rounds();
    failures.addAll(rounds.failures());
    Points points = new Points(rounds.samples());
    for (Target target : options.has(Part.PEERS) ? Target.all() : List.<Target>of()) {
      target.sizes().forEach(bytes -> results.add(points.result(target, bytes)));
    }
    Map<String, String> modes = new LinkedHashMap<>();
    peers.present().forEach(peer -> modes.put(peer.name(), peer.mode()));
    return new Comparison(
        machine,
        done,
        options.quick,
        modes,
        peers.missing(),
        failures,
        points.all(),
        results,
        part(Part.KERNELS, this::kernels),
        part(Part.PROTECTION, this::protection),
        part(Part.SYSCALLS, this::systemCalls),
        part(Part.LOAD, this::load),
        part(Part.GROUPS, this::groups),
        part(Part.GROWTH, this::growth),
        options.has(Part.GROWTH) ? Growth.forecasts(List.of(4L, 65_536L, 16 * MIB)) : List.of());
  }

  private List<Map<String, Object>> part(Part name, Measurement measurement)
      throws InterruptedException {
    if (!options.has(name)) {
      return List.of();
    }
    progress.println("looking at " + name);
    progress.flush();
    try {
      return measurement.measure();
    } catch (IOException e) {
      failed(name.toString(), e);
      return List.of();
    }
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

  private List<Map<String, Object>> kernels() throws IOException, InterruptedException {
    List<Long> sizes = options.quick ? List.of(1024L) : List.of(1024L, 65_536L, 16 * MIB);
    return KernelSpeeds.measure(sizes, peers.kernelLoops());
  }

  private List<Map<String, Object>> protection() throws IOException, InterruptedException {
    OwnPeers own = new OwnPeers(machine.ownCongestion(), options.quick, options.threads);
    return new Protection(own, options.rounds()).measure(progress, failures);
  }

  private List<Map<String, Object>> systemCalls() throws IOException, InterruptedException {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (long bytes : List.of(4L, MIB)) {
      rows.add(SystemCalls.measure(bytes, options.quick ? 50 : 500, machine.ownCongestion()));
    }
    return rows;
  }

  /** What a process holds while it works without a pause. */
  private List<Map<String, Object>> load() throws IOException, InterruptedException {
    return probe("load", (long) options.loadSeconds(), LOAD_SAMPLES);
  }

  /** Several groups of two ranks at once, each used by a thread of its own. */
  private List<Map<String, Object>> groups() throws IOException, InterruptedException {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (long count : new long[] {1, 2, 4}) {
      rows.addAll(probe("groups", count, 4L, MIB));
    }
    return rows;
  }

  private List<Map<String, Object>> probe(String name, Long... arguments)
      throws IOException, InterruptedException {
    ProbeMain.Request probe =
        new ProbeMain.Request(name, machine.ownCongestion(), options.quick, List.of(arguments));
    return ProbeMain.rows(options.threads ? probe.threads(2) : probe.processes(2));
  }

  /** A failure of more ranks is reported, and what fewer ranks measured is kept. */
  private List<Map<String, Object>> growth() throws InterruptedException {
    List<Integer> counts = options.quick ? List.of(2, 3) : List.of(2, 4, 8, 16, 32);
    List<Long> sizes = List.of(4L, 65_536L);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (boolean threads : new boolean[] {true, false}) {
      for (int ranks : counts) {
        try {
          rows.addAll(
              Growth.measure(ranks, sizes, machine.ownCongestion(), threads, options.quick));
        } catch (IOException e) {
          failed("growth, " + ranks + (threads ? " threads" : " processes"), e);
        }
      }
    }
    return rows;
  }

  private void failed(String what, IOException cause) {
    failures.add(what + ": " + cause.getMessage());
    progress.println("  failed: " + cause.getMessage());
  }
}
