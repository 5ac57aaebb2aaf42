package io.jgloo.bench;

import io.jgloo.GroupBuilder;
import io.jgloo.ProcessGroup;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.report.Run.Event;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.AbortedException;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.PeerDepartedException;
import io.jgloo.transport.PeerLostException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
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
    } catch (RuntimeException | Error e) {
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
}
