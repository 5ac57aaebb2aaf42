package io.jgloo.bench;

import io.jgloo.GroupBuilder;
import io.jgloo.ProcessGroup;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.operation.Operation;
import io.jgloo.bench.operation.Trial;
import io.jgloo.bench.operation.Trial.Findings;
import io.jgloo.bench.process.Child.ProcessFigures;
import io.jgloo.bench.report.Run.Event;
import io.jgloo.bench.report.Run.Row;
import io.jgloo.bench.report.Run.Use;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.AbortedException;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.PeerDepartedException;
import io.jgloo.transport.PeerLostException;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * One rank from connecting to the others to its exit code.
 *
 * @param meeting adds the store where the ranks meet
 * @param report gets what rank 0 reports
 * @param err for what goes wrong
 * @param failed is called with a failure before other ranks can notice it
 */
record RankProgram(
    Settings settings,
    int rank,
    UnaryOperator<GroupBuilder> meeting,
    Consumer<Event> report,
    PrintWriter err,
    Consumer<Failure> failed) {

  /** Why a rank could not go on. */
  record Failure(int exitCode, Throwable cause) {

    /** Whether another rank failed first, and this one noticed. */
    boolean isConsequence() {
      return cause instanceof PeerLostException
          || cause instanceof PeerDepartedException
          || cause instanceof AbortedException;
    }

    /** Prints it in a line; with the stack trace if the place in the code is part of the answer. */
    void print(PrintWriter err, String prefix, int rank) {
      if (exitCode == ExitCode.USAGE) {
        err.println(prefix + cause.getMessage());
      } else if (cause instanceof JGlooException || cause instanceof IOException) {
        err.println(prefix + "rank " + rank + ": " + cause);
      } else {
        err.print(prefix + "rank " + rank + ": ");
        cause.printStackTrace(err);
      }
      err.flush();
    }
  }

  /**
   * Runs the ranks of a process as threads of this JVM, each with a device of its own; returns the
   * greatest exit code.
   *
   * @param store where all ranks meet; it is closed when one fails, and at the end
   * @param failed is called with each rank that fails and the reason, before other ranks can notice
   */
  static int runThreads(
      Settings settings,
      int process,
      Store store,
      Consumer<Event> report,
      PrintWriter err,
      BiConsumer<Integer, Failure> failed)
      throws InterruptedException {
    AtomicInteger worst = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    try {
      for (int i = settings.firstRank(process); i < settings.firstRank(process + 1); i++) {
        int rank = i;
        Consumer<Failure> failedRank =
            failure -> {
              failed.accept(rank, failure);
              store.close(); // ranks that wait there for this one need not
            };
        RankProgram program =
            new RankProgram(
                settings, rank, builder -> builder.store(store), report, err, failedRank);
        Thread thread =
            new Thread(
                () -> worst.accumulateAndGet(program.run(), Math::max), "bench-rank-" + rank);
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
    } finally {
      store.close();
    }
    return worst.get();
  }

  /** Runs it; whatever happens ends in an exit code. */
  int run() {
    long began = System.currentTimeMillis();
    ProcessGroup group;
    try {
      group = connect();
    } catch (RuntimeException | Error e) {
      return fail(e instanceof IllegalArgumentException ? ExitCode.USAGE : ExitCode.FAILURE, e);
    }
    long connected = System.currentTimeMillis();
    try (group) {
      return measure(group, began, connected);
    }
  }

  /** Reports a failure while the group is open: the others must not be the first to notice. */
  private int measure(ProcessGroup group, long began, long connected) {
    Consumer<Event> spoken = rank == 0 ? report : event -> {};
    try {
      if (rank == 0) {
        report.accept(new Event(settings.header(group), null, null));
      }
      long errors = new Session(settings, group, spoken, err).run(began, connected);
      return errors == 0 ? ExitCode.VERIFIED : ExitCode.WRONG;
    } catch (IOException | RuntimeException | Error e) {
      return fail(ExitCode.FAILURE, e);
    }
  }

  private int fail(int code, Throwable cause) {
    failed.accept(new Failure(code, cause));
    return code;
  }

  private ProcessGroup connect() {
    GroupBuilder builder =
        ProcessGroup.builder()
            .rank(rank)
            .size(settings.ranks())
            .name("bench")
            .device(settings.network.device, DeviceOptions.of(settings.deviceOptions(rank)))
            .timeout(settings.timeout())
            .connectTimeout(settings.timeout());
    return meeting.apply(builder).connect();
  }

  /**
   * All measurements of a run, at one rank.
   *
   * <p>A line: verify, warm up, time, verify what the timed calls left, verify once more.
   *
   * <p><em>Threads</em>: one.
   */
  private static final class Session {

    private static final int ROUNDS_BEFORE = 2;

    private final Settings settings;
    private final ProcessGroup group;
    private final Consumer<Event> report;
    private final PrintWriter err;
    private final Pace pace;
    private final Stopwatch stopwatch;
    private long errors;

    /**
     * @param err for what this rank found wrong
     */
    Session(Settings settings, ProcessGroup group, Consumer<Event> report, PrintWriter err) {
      this.settings = settings;
      this.group = group;
      this.report = report;
      this.err = err;
      pace = new Pace(group, settings.measure.iterations, settings.measure.warmup);
      stopwatch = new Stopwatch(settings.timeout());
    }

    /**
     * Measures everything.
     *
     * @param beganMillis when this rank began to connect, by the clock that processes of a host
     *     share
     * @param connectedMillis when it was connected
     * @return wrong elements: at all ranks, as the library adds them up, and at least this rank's
     *     own
     */
    long run(long beganMillis, long connectedMillis) throws IOException {
      for (Operation operation : settings.operations()) {
        for (long count : operation.sized() ? counts(operation) : List.of(0L)) {
          measure(operation, count);
        }
      }
      group.barrier(); // no rank leaves while another still has something to send
      report.accept(new Event(null, null, use(beganMillis, connectedMillis)));
      return errors;
    }

    /** What all ranks took and hold; the same at each of them, which all call this. */
    private Use use(long beganMillis, long connectedMillis) {
      ProcessFigures own = ProcessFigures.of(ProcessHandle.current().pid());
      long started = ManagementFactory.getRuntimeMXBean().getStartTime();
      long[] times = {-started, beganMillis, connectedMillis};
      long[] most = {own.descriptors(), own.threads(), own.residentKib()};
      group.allreduce(times, ReduceOp.MAX);
      group.allreduce(most, ReduceOp.MAX);
      double ready = (times[2] + times[0]) / 1e3;
      return new Use(ready, (times[2] - times[1]) / 1e3, most[0], most[1], most[2]);
    }

    private List<Long> counts(Operation operation) {
      return settings.counts().stream()
          .map(wanted -> operation.count(wanted, group.size()))
          .distinct()
          .toList();
    }

    private void measure(Operation operation, long count) throws IOException {
      long bytes = count * settings.work().type().bytes();
      String what = operation.sized() ? operation.name() + " " + bytes + " B" : operation.name();
      Findings findings = new Findings();
      try (Trial trial = operation.trial(group, settings.work(), count)) {
        for (int round = 0; round < ROUNDS_BEFORE; round++) {
          trial.verify(round, findings);
        }
        trial.settle();
        Runnable call = trial::call;
        int iterations = pace.warmUp(call);
        group.barrier();
        stopwatch.time(call, iterations, operation.waysPerCall());
        trial.checkSettled(findings);
        trial.verify(ROUNDS_BEFORE, findings);
        if (trial.timed() && settings.output.hdr != null) {
          keepTimes(operation, bytes);
        }
        printErrors(what, findings);
        report.accept(
            new Event(null, row(operation, count, trial, iterations, findings.errors()), null));
      }
    }

    private void printErrors(String what, Findings findings) {
      String text = "rank " + group.rank() + ": " + what + ": " + findings.errors();
      findings.first().ifPresent(first -> err.println(text + " wrong; the first: " + first));
    }

    private void keepTimes(Operation operation, long bytes) throws IOException {
      String size = operation.sized() ? "-" + bytes : "";
      Path folder = settings.folder(operation);
      Files.createDirectories(folder);
      stopwatch.log(folder.resolve("rank-" + group.rank() + size + ".hlog"), operation.name());
    }

    private Row row(Operation operation, long count, Trial trial, int iterations, long own) {
      long[] slowest = trial.timed() ? stopwatch.nanos() : new long[3];
      String algorithm = trial.algorithm();
      long[] medians = new long[group.size()];
      medians[group.rank()] = slowest[0];
      long[] wrong = {own};
      group.allreduce(slowest, ReduceOp.MAX);
      group.allreduce(medians, ReduceOp.SUM);
      group.allreduce(wrong, ReduceOp.SUM);
      errors += Math.max(own, wrong[0]);
      long bytes = count * settings.work().type().bytes();
      double algbw = slowest[0] == 0 ? 0 : bytes / (double) slowest[0];
      return new Row(
          operation.name(),
          bytes,
          count,
          operation.sized() ? settings.work().type().name().toLowerCase(Locale.ROOT) : null,
          operation.reduces() ? settings.work().op().name() : null,
          operation.rooted() ? settings.work().root() : null,
          algorithm.isEmpty() ? null : algorithm,
          micros(slowest[0]),
          micros(slowest[1]),
          micros(slowest[2]),
          algbw,
          algbw * operation.busFactor(group.size()),
          wrong[0],
          iterations,
          pace.warmup(),
          new ArrayList<>(Arrays.stream(medians).mapToObj(Session::micros).toList()));
    }

    private static double micros(long nanos) {
      return nanos / 1e3;
    }
  }
}
