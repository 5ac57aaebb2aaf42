package io.jgloo.bench;

import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.process.Child;
import io.jgloo.bench.report.Event;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.StoreCodec;
import io.jgloo.rendezvous.store.TcpStoreLimits;
import io.jgloo.rendezvous.store.TcpStoreServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Starts the processes of the ranks on this machine, and stops them all when one fails.
 *
 * <p>They meet in a store that this process serves. Each gets the whole command line again, and in
 * addition its number.
 *
 * <p><em>Owns</em>: the processes, which do not outlive it, however it ends.
 *
 * @param main class whose main method reads the command line
 * @param arguments the command line
 * @param report gets what rank 0 reports
 * @param verbose whether the ranks' standard error is shown as it comes
 */
record Launcher(
    Class<?> main,
    List<String> arguments,
    Settings settings,
    Consumer<Event> report,
    PrintWriter err,
    boolean verbose) {

  /** How long the ranks may take to notice that one is gone, before they are stopped. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Runs them all. */
  int run() throws IOException, InterruptedException {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    BlockingQueue<RankProcess> ended = new LinkedBlockingQueue<>();
    List<RankProcess> ranks = new CopyOnWriteArrayList<>(); // the hook may look at any time
    AtomicBoolean stopping = new AtomicBoolean();
    Thread hook = new Thread(() -> stop(ranks, stopping), "bench-stop-ranks");
    Runtime.getRuntime().addShutdownHook(hook);
    try (TcpStoreServer store =
        Stores.startServer(anyPort, TcpStoreLimits.DEFAULT, StoreCodec.PYTORCH)) {
      for (int process = 0; process < settings.processes(); process++) {
        RankProcess started = start(process, store.address());
        ranks.add(started);
        started.follow(verbose ? err : null, ended::add);
      }
      return await(ranks, ended, stopping);
    } finally {
      ranks.forEach(RankProcess::stop);
      remove(hook);
    }
  }

  private static void stop(List<RankProcess> ranks, AtomicBoolean stopping) {
    stopping.set(true);
    ranks.forEach(RankProcess::stop);
  }

  private static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // This JVM is being ended, and the hook is at work.
    }
  }

  private RankProcess start(int process, InetSocketAddress store) throws IOException {
    int first = settings.firstRank(process);
    int last = settings.firstRank(process + 1) - 1;
    boolean one = first == last;
    return new RankProcess(
        one ? "rank " + first : "the process of ranks " + first + " to " + last,
        one ? "[" + first + "] " : "[" + first + "-" + last + "] ",
        command(process, store),
        report);
  }

  private List<String> command(int process, InetSocketAddress store) {
    List<String> command = Child.java(main);
    command.addAll(arguments);
    command.addAll(List.of("--child", Integer.toString(process)));
    command.addAll(List.of("--child-store", store.getHostString() + ":" + store.getPort()));
    return command;
  }

  private int await(
      List<RankProcess> ranks, BlockingQueue<RankProcess> ended, AtomicBoolean stopping)
      throws InterruptedException {
    int worst = ExitCode.VERIFIED;
    for (int left = ranks.size(); left > 0; left--) {
      RankProcess rank = ended.take();
      if (rank.failed()) {
        List<RankProcess> failures = failures(rank, ended, left - 1);
        return stopping.get() ? ExitCode.FAILURE : printCause(ranks, failures);
      }
      worst = Math.max(worst, rank.code());
    }
    if (worst != ExitCode.VERIFIED) {
      ranks.forEach(rank -> rank.print(err));
    }
    return worst;
  }

  /** All that failed until now or do so soon, the one that began it first. */
  private static List<RankProcess> failures(
      RankProcess first, BlockingQueue<RankProcess> ended, int left) throws InterruptedException {
    List<RankProcess> failed = new ArrayList<>(List.of(first));
    long deadline = System.nanoTime() + GRACE_NANOS;
    while (left > 0 && first.code() != ExitCode.USAGE) {
      RankProcess next = ended.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (next == null) {
        break;
      }
      left--;
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
    err.flush();
    return ExitCode.FAILURE;
  }
}
