package io.jgloo.bench;

import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.process.Child;
import io.jgloo.bench.process.Job;
import io.jgloo.bench.report.Event;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.TcpStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Starts the processes of the ranks on this machine, and stops them all when one fails.
 *
 * <p>They meet in a store that this process serves. Each gets the whole command line again, and in
 * addition its number.
 *
 * @param main class whose main method reads the command line
 * @param arguments the command line
 * @param report gets what rank 0 reports
 */
record Launcher(
    Class<?> main,
    List<String> arguments,
    Settings settings,
    Consumer<Event> report,
    PrintWriter err) {

  /** How long the ranks may take to notice that one is gone, before they are stopped. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Runs them all; returns the exit code. */
  int run() throws IOException, InterruptedException {
    BlockingQueue<RankProcess> ended = new LinkedBlockingQueue<>();
    List<RankProcess> ranks = new ArrayList<>();
    try (TcpStore store = Stores.serve("127.0.0.1", 0, settings.timeout());
        Job job = new Job()) {
      for (int process = 0; process < settings.processes(); process++) {
        RankProcess started = start(job, process, store.port());
        ranks.add(started);
        started.follow(settings.output.verbose ? err : null, ended::add);
      }
      int worst = ExitCode.VERIFIED;
      for (int left = ranks.size(); left > 0; left--) {
        RankProcess rank = ended.take();
        if (rank.failed()) {
          List<RankProcess> failures = failures(rank, ended, left - 1);
          return job.isStopping() ? ExitCode.FAILURE : printCause(ranks, failures);
        }
        worst = Math.max(worst, rank.code());
      }
      if (worst != ExitCode.VERIFIED) {
        ranks.forEach(rank -> rank.print(err));
      }
      return worst;
    }
  }

  private RankProcess start(Job job, int process, int port) throws IOException {
    int first = settings.firstRank(process);
    int last = settings.firstRank(process + 1) - 1;
    boolean one = first == last;
    List<String> command = Child.java(main);
    command.addAll(arguments);
    command.addAll(List.of("--child", "" + process, "--child-port", "" + port));
    String name = one ? "rank " + first : "the process of ranks " + first + " to " + last;
    String prefix = one ? "[" + first + "] " : "[" + first + "-" + last + "] ";
    return new RankProcess(job.start(name, new ProcessBuilder(command)), prefix, report);
  }

  /** All that failed until now or do so soon, the one that began it first. */
  private static List<RankProcess> failures(
      RankProcess first, BlockingQueue<RankProcess> ended, int left) throws InterruptedException {
    List<RankProcess> failed = new ArrayList<>(List.of(first));
    long deadline = System.nanoTime() + GRACE_NANOS;
    for (; left > 0 && first.code() != ExitCode.USAGE; left--) {
      RankProcess next = ended.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (next == null) {
        break;
      }
      if (next.failed()) {
        failed.add(next);
      }
    }
    failed.sort(Comparator.comparing(RankProcess::suspicion));
    return failed;
  }

  private int printCause(List<RankProcess> ranks, List<RankProcess> failures) {
    RankProcess cause = failures.get(0);
    if (cause.code() == ExitCode.USAGE) {
      cause.print(err, "gloo-bench: ");
      return ExitCode.USAGE;
    }
    String phase = ranks.get(0).phase();
    err.println(
        "gloo-bench: " + cause.end() + (phase == null ? " at the start" : " during " + phase));
    for (RankProcess rank : failures) {
      if (rank == cause || cause.suspicion() == RankProcess.Suspicion.BLAMES_ANOTHER) {
        rank.print(err);
      }
    }
    if (ranks.size() > 1) {
      err.println("gloo-bench: the other ranks were stopped");
    }
    return ExitCode.FAILURE;
  }
}
