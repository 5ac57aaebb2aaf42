package io.jgloo.bench.compare;

import java.util.List;

/** The tables of what was looked at beside the comparison. */
final class SideSheets {

  private final Results results;

  SideSheets(Results results) {
    this.results = results;
  }

  List<Sheet> all() {
    return List.of(kernels(), systemCalls(), load(), groups(), growth(), forecasts());
  }

  private Sheet kernels() {
    return new Sheet(
        "Kernels: sums of two vectors, one thread, 10^9 bytes of vector per second",
        "The loop is what a C programmer would write, compiled with -O3 for this processor. The"
            + " least time of several batches.",
        List.of("type", "size", "Java", "native where faster", "C loop", "of the C loop"),
        results.kernels().stream()
            .map(
                line ->
                    List.of(
                        line.type(),
                        Words.bytes(line.bytes()),
                        Words.figure(line.java()),
                        Words.figure(line.chosen()),
                        line.loop() == 0 ? "-" : Words.figure(line.loop()),
                        line.loop() == 0 ? "-" : Words.figure(line.chosen() / line.loop())))
            .toList());
  }

  private Sheet systemCalls() {
    return new Sheet(
        "System calls of an allreduce of 2 processes",
        "Per call and rank, by strace. A message below the staging limit should cost one send and"
            + " one receive. Empty ones and polls depend on how long a rank waits, which tracing"
            + " changes.",
        List.of("size", "sends", "receives", "both per MiB", "empty", "polls"),
        results.systemCalls().stream()
            .map(
                line ->
                    List.of(
                        Words.bytes(line.bytes()),
                        Words.figure(line.sends()),
                        Words.figure(line.receives()),
                        perMib(line),
                        Words.figure(line.empty()),
                        Words.figure(line.polls())))
            .toList());
  }

  private static String perMib(SystemCalls.Line line) {
    double mib = line.bytes() / (double) (1 << 20);
    return mib < 1 ? "-" : Words.figure((line.sends() + line.receives()) / mib);
  }

  private Sheet load() {
    return new Sheet(
        "Under load: allreduces of 4 B to 1 MiB and barriers without a pause, 2 processes, rank 0",
        "After warming up. Calls and bytes allocated by the calling thread count from the first"
            + " line on.",
        List.of(
            "seconds", "calls", "allocated B", "threads", "collections", "resident KiB", "files"),
        results.load().stream()
            .map(
                line ->
                    List.of(
                        Words.figure(line.seconds()),
                        "" + line.calls(),
                        "" + line.allocated(),
                        "" + line.threads(),
                        "" + line.collections(),
                        "" + line.residentKib(),
                        "" + line.descriptors()))
            .toList());
  }

  private Sheet groups() {
    return new Sheet(
        "Several groups at once, a thread each, 2 processes, allreduce",
        "",
        List.of("groups", "size", "p50 us of the slowest", "calls/s of all"),
        results.groups().stream()
            .map(
                line ->
                    List.of(
                        "" + line.groups(),
                        Words.bytes(line.bytes()),
                        Words.figure(line.p50Us()),
                        Words.figure(line.callsPerSecond())))
            .toList());
  }

  private Sheet growth() {
    return new Sheet(
        "Growth with ranks on this machine, allreduce",
        "Messages, bytes and system calls per rank and call. The model knows nothing of ranks that"
            + " share a core.",
        List.of(
            "ranks",
            "mode",
            "connect ms",
            "size",
            "algorithm",
            "p50 us",
            "model us",
            "messages",
            "in theory",
            "bytes sent",
            "in theory",
            "writes",
            "reads"),
        results.growth().stream()
            .map(
                line ->
                    List.of(
                        "" + line.ranks(),
                        line.mode(),
                        Words.figure(line.connectMillis()),
                        Words.bytes(line.bytes()),
                        line.algorithm(),
                        Words.figure(line.p50Us()),
                        Words.figure(line.foretoldUs()),
                        Words.figure(line.messages()),
                        Words.figure(line.messagesInTheory()),
                        Words.figure(line.bytesSent()),
                        "" + line.bytesInTheory(),
                        Words.figure(line.writes()),
                        Words.figure(line.reads())))
            .toList());
  }

  private Sheet forecasts() {
    return new Sheet(
        "The cost model's curve, a core per rank, loopback's constants",
        "",
        List.of("size", "ranks", "algorithm", "steps", "us"),
        results.forecasts().stream()
            .map(
                line ->
                    List.of(
                        Words.bytes(line.bytes()),
                        "" + line.ranks(),
                        line.algorithm(),
                        "" + line.steps(),
                        Words.figure(line.micros())))
            .toList());
  }
}
