package io.jgloo.bench;

import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.process.Child;
import io.jgloo.bench.process.Job;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.TcpStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Starts the processes of the ranks on this machine, and stops them all when one fails.
 *
 * <p>They meet in a store that this process serves. Each gets the whole command line again, and in
 * addition its number; rank 0 writes the report.
 *
 * @param main class whose main method reads the command line
 * @param arguments the command line
 */
record Launcher(Class<?> main, List<String> arguments, Settings settings, PrintWriter err) {

  /** What is added to the exit code of such a process, which no other end of a JVM has. */
  static final int ORDERLY = 40;

  /** Code of a process that ends because another rank failed first. */
  static final int CONSEQUENCE = ORDERLY + ExitCode.FAILURE + 1;

  /** How long the ranks may take to notice that one is gone, before they are stopped. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * A process of one rank or several.
   *
   * @param prefix what stands before the lines of its standard error
   */
  private record Ranks(Child child, String prefix) {
    boolean isOrderly() {
      return child.status() >= ORDERLY && child.status() <= CONSEQUENCE;
    }

    int code() {
      return isOrderly() ? Math.min(child.status() - ORDERLY, ExitCode.FAILURE) : ExitCode.FAILURE;
    }

    boolean blamesAnother() {
      return child.status() == CONSEQUENCE;
    }

    /** The likeliest to have failed first comes first: one that was killed or has crashed. */
    int suspicion() {
      return isOrderly() ? child.status() : 0;
    }

    void print(PrintWriter err, String before) {
      child.errors().forEach(line -> err.println(before + line));
    }
  }

  /** Runs them all; returns the exit code. */
  int run() throws IOException, InterruptedException {
    BlockingQueue<Ranks> ended = new LinkedBlockingQueue<>();
    List<Ranks> all = new ArrayList<>();
    try (TcpStore store = Stores.serve("127.0.0.1", 0, settings.timeout());
        Job job = new Job()) {
      for (int process = 0; process < settings.processes(); process++) {
        Ranks started = start(job, process, store.port());
        all.add(started);
        boolean live = settings.output.verbose;
        started.child.follow(
            line -> {},
            live ? line -> err.println(started.prefix + line) : null,
            child -> ended.add(started));
      }
      int worst = ExitCode.VERIFIED;
      for (int left = all.size(); left > 0; left--) {
        Ranks ranks = ended.take();
        if (ranks.code() >= ExitCode.USAGE) {
          List<Ranks> failures = failures(ranks, ended, left - 1);
          return job.isStopping() ? ExitCode.FAILURE : printCause(failures);
        }
        worst = Math.max(worst, ranks.code());
      }
      if (worst != ExitCode.VERIFIED) {
        all.forEach(ranks -> ranks.print(err, ranks.prefix));
      }
      return worst;
    }
  }

  private Ranks start(Job job, int process, int port) throws IOException {
    int first = settings.firstRank(process);
    int last = settings.firstRank(process + 1) - 1;
    boolean one = first == last;
    List<String> command = Child.java(main);
    command.addAll(arguments);
    command.addAll(List.of("--child", "" + process, "--child-port", "" + port));
    String name = one ? "rank " + first : "the process of ranks " + first + " to " + last;
    String prefix = one ? "[" + first + "] " : "[" + first + "-" + last + "] ";
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectOutput(process == 0 ? Redirect.INHERIT : Redirect.DISCARD);
    return new Ranks(job.start(name, builder), prefix);
  }

  /** All that failed until now or do so soon, the one that began it first. */
  private static List<Ranks> failures(Ranks first, BlockingQueue<Ranks> ended, int left)
      throws InterruptedException {
    List<Ranks> failed = new ArrayList<>(List.of(first));
    long deadline = System.nanoTime() + GRACE_NANOS;
    for (; left > 0 && first.code() != ExitCode.USAGE; left--) {
      Ranks next = ended.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (next == null) {
        break;
      }
      if (next.code() >= ExitCode.USAGE) {
        failed.add(next);
      }
    }
    failed.sort(Comparator.comparing(Ranks::suspicion));
    return failed;
  }

  private int printCause(List<Ranks> failures) {
    Ranks cause = failures.get(0);
    if (cause.code() == ExitCode.USAGE) {
      cause.print(err, "gloo-bench: ");
      return ExitCode.USAGE;
    }
    err.println(
        "gloo-bench: " + (cause.isOrderly() ? cause.child.name() + " failed" : cause.child.end()));
    for (Ranks ranks : failures) {
      if (ranks.equals(cause) || cause.blamesAnother()) {
        ranks.print(err, ranks.prefix);
      }
    }
    if (settings.processes() > 1) {
      err.println("gloo-bench: the other ranks were stopped");
    }
    return ExitCode.FAILURE;
  }
}
