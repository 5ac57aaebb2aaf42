package io.jgloo.bench.soak;

import io.jgloo.ProcessGroup;
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
 * <p>Arguments: port of the store, seconds of a call, calls before {@link #WORKING}, size of the
 * group, the first and the last rank of this process, attributes of the device. Writes lines of one
 * of the words below, a rank, and what the word says; ends when standard input does.
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

  private final PrintStream out;
  private final TcpStore store;
  private final Duration timeout;
  private final int calls;
  private final int size;
  private final DeviceOptions attributes;

  private KillRank(PrintStream out, TcpStore store, String[] arguments) {
    this.out = out;
    this.store = store;
    timeout = Duration.ofSeconds(Long.parseLong(arguments[1]));
    calls = Integer.parseInt(arguments[2]);
    size = Integer.parseInt(arguments[3]);
    attributes = SoakRank.attributes(arguments, 6);
  }

  public static void main(String[] arguments) {
    PrintStream out = System.out;
    System.setOut(System.err); // for what others print there
    Duration patience = Duration.ofSeconds(Long.parseLong(arguments[1]));
    TcpStore store = Stores.connect("127.0.0.1", Integer.parseInt(arguments[0]), patience);
    KillRank ranks = new KillRank(out, store, arguments);
    int last = Integer.parseInt(arguments[5]);
    for (int rank = Integer.parseInt(arguments[4]); rank <= last; rank++) {
      int number = rank;
      new Thread(() -> ranks.run(number), "kill-rank-" + rank).start();
    }
    Child.haltAtEndOfInput(ExitCode.VERIFIED);
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
        .size(size)
        .device("tcp", attributes)
        .timeout(timeout)
        .connectTimeout(timeout)
        .store(store)
        .connect();
  }

  private void work(ProcessGroup group, int rank) {
    for (int call = 1; ; call++) {
      verify(group, call);
      if (call == calls) {
        say(WORKING, rank);
      }
    }
  }

  /** The group stays open: its end would be reported as the loss of a rank. */
  private void shrink(ProcessGroup failed, int rank) {
    ProcessGroup group = failed.shrink(timeout);
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
