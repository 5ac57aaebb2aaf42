package io.jgloo.bench.compare;

import io.jgloo.bench.operation.Operation;
import io.jgloo.bench.operation.Operations;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures what the options ask for, part by part; a part that fails is told and left out. */
final class Comparison {

  private static final long MIB = 1 << 20;
  private static final List<Target> NO_TARGETS = List.of();

  private final CompareOptions options;
  private final Peers peers;
  private final String congestion;
  private final PrintWriter progress;
  private final List<String> failures = new ArrayList<>();

  Comparison(CompareOptions options, Peers peers, String congestion, PrintWriter progress) {
    this.options = options;
    this.peers = peers;
    this.congestion = congestion;
    this.progress = progress;
  }

  /** Something that may not be measurable here. */
  @FunctionalInterface
  private interface Part<T> {
    List<T> measure() throws IOException, InterruptedException;
  }

  Results run() throws InterruptedException {
    Machine machine = Machine.now(congestion);
    Rounds rounds = new Rounds(peers.present(), tasks(), progress);
    if (options.has(CompareOptions.Part.PEERS)) {
      rounds.run(options.rounds());
    }
    failures.addAll(rounds.failures());
    Points points = new Points(rounds.samples());
    List<Verdict> verdicts = new ArrayList<>();
    for (Target target : options.has(CompareOptions.Part.PEERS) ? Targets.all() : NO_TARGETS) {
      target.sizes().forEach(bytes -> verdicts.add(Verdict.of(target, bytes, points)));
    }
    Map<String, String> modes = new LinkedHashMap<>();
    peers.present().forEach(peer -> modes.put(peer.name(), peer.mode()));
    return new Results(
        machine,
        options.rounds(),
        options.quick(),
        modes,
        peers.missing(),
        failures,
        points.all(),
        verdicts,
        part(CompareOptions.Part.KERNELS, this::kernels),
        part(CompareOptions.Part.SYSCALLS, this::systemCalls),
        part(CompareOptions.Part.LOAD, () -> Load.measure(options.loadSeconds(), congestion)),
        part(CompareOptions.Part.GROUPS, this::groups),
        part(CompareOptions.Part.GROWTH, this::growth),
        options.has(CompareOptions.Part.GROWTH)
            ? Growth.foretell(List.of(4L, 65_536L, 16 * MIB))
            : List.of());
  }

  private <T> List<T> part(CompareOptions.Part name, Part<T> part) throws InterruptedException {
    if (!options.has(name)) {
      return List.of();
    }
    progress.println("looking at " + name);
    progress.flush();
    try {
      return part.measure();
    } catch (IOException e) {
      failed(name.toString(), e);
      return List.of();
    }
  }

  private List<Task> tasks() {
    List<Task> tasks = new ArrayList<>();
    for (int ranks : options.ranks()) {
      for (String name : options.operations()) {
        Operation operation =
            Operations.all().stream()
                .filter(each -> each.name().equals(name))
                .min(Comparator.comparing(Operation::name))
                .orElseThrow(() -> new IllegalArgumentException("no operation is called " + name));
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

  private List<KernelSpeeds.Line> kernels() throws IOException, InterruptedException {
    List<Long> sizes = options.quick() ? List.of(1024L) : List.of(1024L, 65_536L, 16 * MIB);
    return KernelSpeeds.measure(sizes, peers.kernelLoops());
  }

  private List<SystemCalls.Line> systemCalls() throws IOException, InterruptedException {
    List<SystemCalls.Line> lines = new ArrayList<>();
    for (long bytes : List.of(4L, MIB)) {
      lines.add(SystemCalls.measure(bytes, options.quick() ? 50 : 500, congestion));
    }
    return lines;
  }

  private List<Groups.Line> groups() throws IOException, InterruptedException {
    return Groups.measure(List.of(1, 2, 4), List.of(4L, MIB), congestion, options.millis());
  }

  /** What more ranks cannot do is told, and what fewer could is kept. */
  private List<Growth.Line> growth() throws InterruptedException {
    List<Integer> counts = options.quick() ? List.of(2, 3) : List.of(2, 4, 8, 16, 32);
    List<Long> sizes = List.of(4L, 65_536L);
    List<Growth.Line> lines = new ArrayList<>();
    for (boolean threads : new boolean[] {true, false}) {
      for (int ranks : counts) {
        try {
          lines.addAll(Growth.measure(ranks, sizes, congestion, threads, options.millis()));
        } catch (IOException e) {
          failed("growth, " + ranks + (threads ? " threads" : " processes"), e);
        }
      }
    }
    return lines;
  }

  private void failed(String what, IOException cause) {
    failures.add(what + ": " + cause.getMessage());
    progress.println("  failed: " + cause.getMessage());
  }
}
