package io.jgloo.bench.soak;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.ProcessGroup;
import io.jgloo.bench.command.Commands;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.operation.Operation;
import io.jgloo.bench.operation.Operations;
import io.jgloo.bench.operation.Trial;
import io.jgloo.bench.operation.Trial.Findings;
import io.jgloo.bench.operation.Vector;
import io.jgloo.bench.operation.Workload;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.algorithm.Algorithms;
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
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
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
    try (TcpStore store = Stores.connect("127.0.0.1", rank.options.port, SoakCommand.CONNECT)) {
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
            .connectTimeout(SoakCommand.CONNECT)
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

  /**
   * Verified calls of random kinds, types, sizes, roots and algorithms, the same at all ranks that
   * have the same seed.
   */
  private static final class RandomCalls {
    private static final List<Operation> OPERATIONS =
        Operations.all().stream().filter(Operation::amongAll).toList();

    private static final long SMALL_BYTES = 8 << 10;

    /** Calls of one kind in a row, of small vectors. */
    private static final int MOST_REPEATS = 32;

    /** Verifying a barrier takes milliseconds: one rank is late on purpose. */
    private static final int BARRIERS_LEFT_OUT = 50;

    private final ProcessGroup group;
    private final SplittableRandom random;
    private final SoakCommand options;
    private int round;
    private String last = "nothing";

    RandomCalls(ProcessGroup group, long seed, SoakCommand options) {
      this.group = group;
      this.options = options;
      random = new SplittableRandom(seed);
    }

    /** Makes some calls of one kind; returns how many. */
    int some(Findings findings) {
      Operation operation = operation();
      DataType type = pick(List.of(DataType.values()));
      ReduceOp op = pick(ReduceOp.builtIn());
      while (!op.appliesTo(type) || !operation.accepts(op)) {
        op = pick(ReduceOp.builtIn());
      }
      long bytes = bytes();
      long count = operation.count(Math.max(1, bytes / type.bytes()), group.size());
      Workload work =
          new Workload(
              type,
              op,
              random.nextInt(group.size()),
              algorithm(operation),
              random.nextBoolean(),
              pick(List.of(Vector.Kind.values())));
      last = operation.name() + " of " + count + " " + work;
      int repeats = bytes <= SMALL_BYTES ? 1 + random.nextInt(MOST_REPEATS) : 1;
      try (Trial trial = operation.trial(group, work, count)) {
        for (int i = 0; i < repeats; i++) {
          trial.verify(round++, findings);
        }
      }
      return repeats;
    }

    /** The kind of the last calls, for people. */
    String last() {
      return last;
    }

    private static boolean isBarrier(Operation operation) {
      return operation.collective().equals(Optional.of(Collective.BARRIER));
    }

    private Operation operation() {
      while (true) {
        Operation operation = pick(OPERATIONS);
        if (operation.leastRanks() <= group.size()
            && !(isBarrier(operation) && random.nextInt(BARRIERS_LEFT_OUT) > 0)) {
          return operation;
        }
      }
    }

    /** Most vectors are small; the sizes of the others are evenly spread by their logarithms. */
    private long bytes() {
      long most =
          random.nextInt(4) == 0 ? options.mostBytes : Math.min(SMALL_BYTES, options.mostBytes);
      return (long) Math.pow((double) most, random.nextDouble());
    }

    private Optional<String> algorithm(Operation operation) {
      if (options.algorithm != null || random.nextBoolean() || operation.collective().isEmpty()) {
        return Optional.ofNullable(options.algorithm);
      }
      return Optional.of(pick(Algorithms.of(operation.collective().get())).name());
    }

    private <T> T pick(List<T> all) {
      return all.get(random.nextInt(all.size()));
    }
  }
}
