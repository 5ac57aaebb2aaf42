package io.jgloo.bench.soak;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.ProcessGroup;
import io.jgloo.bench.command.Commands;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.operation.Trial.Findings;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.TcpStore;
import io.jgloo.transport.AbortedException;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.PeerLostException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A process of a soak: is a rank of one group after another, and verifies calls until one fails.
 *
 * <p>Arguments are those of {@link SoakCommand}. Reads lines {@code form EPOCH RANK SIZE MEMORY
 * SEED} and {@code stop}; writes lines that begin with one of the words below and the epoch.
 */
final class SoakRank {
  static final String READY = "ready";
  static final String FORMED = "formed";
  static final String AT = "at";
  static final String WRONG = "wrong";
  static final String FAILED = "failed";
  static final String STOPPED = "stopped";

  /** A failure that is no JGlooException: a defect. */
  static final String BROKEN = "broken";

  /** The words that begin answers to orders. */
  static final Set<String> ANSWERS = Set.of(READY, FORMED, WRONG, FAILED, STOPPED, BROKEN);

  private final PrintStream out = System.out;
  private final SoakCommand options = new SoakCommand();
  private final BlockingQueue<String> orders = new LinkedBlockingQueue<>();
  private volatile boolean stopping;
  private long calls;

  private SoakRank() {}

  public static void main(String[] arguments) throws InterruptedException {
    SoakRank rank = new SoakRank();
    System.setOut(System.err); // for what others print there
    Commands.read(rank.options, arguments);
    rank.options.attributes.putIfAbsent("bind", "127.0.0.1");
    try (TcpStore store = Stores.connect("127.0.0.1", rank.options.port, Soak.CONNECT)) {
      Thread reader = new Thread(rank::read, "soak-orders");
      reader.setDaemon(true);
      reader.start();
      rank.say(READY, 0);
      while (true) {
        rank.form(store, rank.orders.take().split(" ", -1));
      }
    }
  }

  /** Reads orders until the parent ends, which ends this process too. */
  private void read() {
    try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        if (line.equals("stop")) {
          stopping = true;
        } else {
          orders.add(line);
        }
      }
    } catch (IOException e) {
      // As good as the end of the parent.
    }
    Runtime.getRuntime().halt(ExitCode.FAILURE);
  }

  private void form(TcpStore store, String[] order) {
    long epoch = Long.parseLong(order[1]);
    calls = 0;
    stopping = false;
    DeviceOptions device = DeviceOptions.of(options.attributes).with("memory", order[4]);
    try (ProcessGroup group =
        ProcessGroup.builder()
            .name("soak")
            .rank(Integer.parseInt(order[2]))
            .size(Integer.parseInt(order[3]))
            .epoch(epoch)
            .device("tcp", device)
            .timeout(Duration.ofSeconds(options.timeout))
            .connectTimeout(Soak.CONNECT)
            .store(store)
            .connect()) {
      say(FORMED, epoch);
      work(group, epoch, Long.parseLong(order[5]));
    } catch (JGlooException e) {
      long now = System.nanoTime();
      String kind = e.getClass().getSimpleName();
      say(FAILED, epoch, now, kind, named(e), calls, e.getMessage());
    } catch (RuntimeException | Error e) {
      e.printStackTrace();
      say(BROKEN, epoch, e);
    }
  }

  private void work(ProcessGroup group, long epoch, long seed) {
    RandomCalls random = new RandomCalls(group, seed, options);
    long next = System.nanoTime();
    int[] vote = new int[1];
    do {
      Findings findings = new Findings();
      calls += random.some(findings);
      findings.first().ifPresent(first -> say(WRONG, epoch, random.last() + ": " + first));
      if (System.nanoTime() - next > 0) {
        next = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
        say(AT, epoch, calls);
      }
      vote[0] = stopping ? 1 : 0;
      group.allreduce(vote, ReduceOp.MAX); // all ranks stop after the same call
    } while (vote[0] == 0);
    say(STOPPED, epoch, calls);
  }

  /** The ranks that a failure names, separated by commas. */
  static String named(JGlooException e) {
    List<Integer> ranks = List.of();
    if (e instanceof PeerLostException lost) {
      ranks = List.of(lost.peer());
    } else if (e instanceof OperationTimeoutException late) {
      ranks = late.missingPeers();
    } else if (e instanceof AbortedException aborted) {
      ranks = List.of(aborted.origin());
    }
    return ranks.isEmpty()
        ? "-"
        : ranks.stream().map(rank -> "" + rank).collect(Collectors.joining(","));
  }

  private void say(Object... words) {
    say(out, words);
  }

  /** Writes words as a line; several threads may. */
  static void say(PrintStream out, Object... words) {
    StringBuilder line = new StringBuilder();
    for (Object word : words) {
      line.append(word).append(' ');
    }
    out.println(line.toString().trim().replace('\n', ' '));
    out.flush();
  }
}
