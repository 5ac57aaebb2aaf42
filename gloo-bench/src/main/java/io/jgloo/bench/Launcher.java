package io.jgloo.bench;

import io.jgloo.bench.report.Report;
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

/**
 * Starts a process per rank on this machine, and stops them all when one fails.
 *
 * <p>They meet in a store that this process serves. Each is told the whole command line again, and
 * besides which rank it is.
 *
 * <p><em>Owns</em>: the processes, which do not outlive it, however it ends.
 *
 * @param main class whose main method reads the command line
 * @param arguments the command line
 * @param verbose whether the ranks' standard error is shown as it comes
 */
record Launcher(
    Class<?> main,
    List<String> arguments,
    Settings settings,
    Report report,
    PrintWriter err,
    boolean verbose) {

  /** How long the ranks may take to notice that one is gone, before they are stopped. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Runs them all. */
  int run() throws IOException, InterruptedException {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    BlockingQueue<Child> ended = new LinkedBlockingQueue<>();
    List<Child> children = new CopyOnWriteArrayList<>(); // the hook may look at any time
    AtomicBoolean stopping = new AtomicBoolean();
    Thread hook = new Thread(() -> stop(children, stopping), "bench-stop-ranks");
    Runtime.getRuntime().addShutdownHook(hook);
    try (TcpStoreServer store =
        Stores.startServer(anyPort, TcpStoreLimits.DEFAULT, StoreCodec.PYTORCH)) {
      for (int rank = 0; rank < settings.ranks(); rank++) {
        List<String> command = command(rank, store.address());
        children.add(Child.start(rank, command, report, verbose ? err : null, ended::add));
      }
      return await(children, ended, stopping);
    } finally {
      children.forEach(Child::stop);
      forget(hook);
    }
  }

  private static void stop(List<Child> children, AtomicBoolean stopping) {
    stopping.set(true);
    children.forEach(Child::stop);
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // This JVM is being ended, and the hook is at work.
    }
  }

  private List<String> command(int rank, InetSocketAddress store) {
    List<String> command = Jvm.command(main);
    command.addAll(arguments);
    command.addAll(List.of("--child", Integer.toString(rank)));
    command.addAll(List.of("--child-store", store.getHostString() + ":" + store.getPort()));
    return command;
  }

  private int await(List<Child> children, BlockingQueue<Child> ended, AtomicBoolean stopping)
      throws InterruptedException {
    int worst = ExitCode.VERIFIED;
    for (int left = children.size(); left > 0; left--) {
      Child child = ended.take();
      if (child.failed()) {
        List<Child> failures = failures(child, ended, left - 1);
        return stopping.get() ? ExitCode.FAILURE : tellCause(children, failures);
      }
      worst = Math.max(worst, child.code());
    }
    if (worst != ExitCode.VERIFIED) {
      children.forEach(child -> child.print(err, "[" + child.rank() + "] "));
    }
    return worst;
  }

  /** All that failed until now or do so soon, the one that began it first. */
  private static List<Child> failures(Child first, BlockingQueue<Child> ended, int left)
      throws InterruptedException {
    List<Child> failed = new ArrayList<>(List.of(first));
    long deadline = System.nanoTime() + GRACE_NANOS;
    while (left > 0 && first.code() != ExitCode.USAGE) {
      Child next = ended.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (next == null) {
        break;
      }
      left--;
      if (next.failed()) {
        failed.add(next);
      }
    }
    failed.sort(Comparator.comparing(Child::suspicion));
    return failed;
  }

  private int tellCause(List<Child> children, List<Child> failures) {
    Child culprit = failures.get(0);
    if (culprit.code() == ExitCode.USAGE) {
      culprit.print(err, "gloo-bench: ");
      return ExitCode.USAGE;
    }
    String phase = children.get(0).phase();
    err.println(
        "gloo-bench: " + culprit.fate() + (phase == null ? " at the start" : " during " + phase));
    for (Child child : failures) {
      if (child == culprit || culprit.suspicion() == Child.Suspicion.BLAMES_ANOTHER) {
        child.print(err, "[" + child.rank() + "] ");
      }
    }
    if (children.size() > 1) {
      err.println("gloo-bench: the other ranks were stopped");
    }
    err.flush();
    return ExitCode.FAILURE;
  }
}
