package io.jgloo.bench.soak;

import io.jgloo.ProcessGroup;
import io.jgloo.bench.command.Commands;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.process.Child;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.TcpStore;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JGlooException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Set;

/**
 * A process whose threads are ranks: they make calls until one fails, then form a group of the
 * ranks that are alive.
 *
 * <p>Arguments are those of {@link KillCommand}. Writes lines of one of the words below, a rank,
 * and what the word says; ends when standard input does.
 */
final class KillRank {
  /** Calls were verified. */
  static final String WORKING = "working";

  /** Instant in nanoseconds, class of the error, the rank that it names or {@code -}, its text. */
  static final String FAILED = "failed";

  /** Instant in nanoseconds and size of the new group, in which a call was verified. */
  static final String FORMED = "formed";

  /** What was wrong with the result of a call. */
  static final String WRONG = "wrong";

  /** Why this rank is in no new group, or was in none at all. */
  static final String BROKEN = "broken";

  private static final Set<String> WORDS = Set.of(WORKING, FAILED, FORMED, WRONG, BROKEN);

  private final PrintStream out = System.out;
  private final KillCommand options = new KillCommand();
  private final TcpStore store;

  private KillRank(String... arguments) {
    System.setOut(System.err); // for what others print there
    Commands.read(options, arguments);
    options.attributes.putIfAbsent("bind", "127.0.0.1");
    store = Stores.connect("127.0.0.1", options.port, timeout());
  }

  public static void main(String[] arguments) {
    KillRank ranks = new KillRank(arguments);
    for (int rank = ranks.options.first; rank < ranks.options.end; rank++) {
      int number = rank;
      new Thread(() -> ranks.run(number), "kill-rank-" + rank).start();
    }
    Child.haltAtEndOfInput(ExitCode.VERIFIED);
  }

  private Duration timeout() {
    return Duration.ofSeconds(options.timeout);
  }

  /** Whether a line that begins so is one of this process, not of its virtual machine. */
  static boolean isWord(String text) {
    return WORDS.contains(text);
  }

  private void run(int rank) {
    try {
      ProcessGroup group = connect(rank);
      try {
        work(group, rank);
      } catch (JGlooException e) {
        long now = System.nanoTime();
        say(FAILED, rank, now, e.getClass().getSimpleName(), SoakRank.named(e), e.getMessage());
      }
      shrink(group, rank);
    } catch (RuntimeException | Error e) {
      say(BROKEN, rank, e);
    }
  }

  private ProcessGroup connect(int rank) {
    return ProcessGroup.builder()
        .name("kill")
        .rank(rank)
        .size(options.ranks)
        .device("tcp", DeviceOptions.of(options.attributes))
        .timeout(timeout())
        .connectTimeout(timeout())
        .store(store)
        .connect();
  }

  private void work(ProcessGroup group, int rank) {
    for (int call = 1; ; call++) {
      verify(group, call);
      if (call == options.calls) {
        say(WORKING, rank);
      }
    }
  }

  /** The group stays open: its end would be reported as the loss of a rank. */
  private void shrink(ProcessGroup failed, int rank) {
    ProcessGroup group = failed.shrink(timeout());
    verify(group, 1);
    say(FORMED, rank, System.nanoTime(), group.size());
  }

  private void verify(ProcessGroup group, int call) {
    int[] sum = {group.rank() + call};
    group.allreduce(sum, ReduceOp.SUM);
    int expected = group.size() * call + group.size() * (group.size() - 1) / 2;
    if (sum[0] != expected) {
      say(WRONG, group.rank(), "the sum of call " + call + " is " + sum[0] + " not " + expected);
    }
  }

  private void say(Object... words) {
    SoakRank.say(out, words);
  }
}
