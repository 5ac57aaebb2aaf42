package io.jgloo.bench;

import io.jgloo.bench.RankProgram.Failure;
import io.jgloo.bench.command.Commands;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.operation.Operation;
import io.jgloo.bench.operation.Operations;
import io.jgloo.bench.process.Child;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rendezvous.store.TcpStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The command {@code gloo-bench/run}: verifies and times collectives.
 *
 * <p>One JVM may be all ranks (threads), some or one of them, or the parent of all ranks.
 */
@Command(
    name = "gloo-bench/run",
    abbreviateSynopsis = true,
    description = {
      "",
      "Verifies and times collectives between real ranks. Every size is verified on every rank"
          + " against a reference before it is timed and again afterwards: bit by bit, with data"
          + " that differ by rank, position and round.",
      "",
      "Calls are timed one by one and back to back, after warming up, at every rank. A percentile"
          + " is the slowest rank's: each rank takes it of its own calls, and the greatest is"
          + " reported. Bandwidths are bytes by median time, 1 GB = 10^9 bytes: algbw is that of"
          + " the vector, busbw is algbw times 2(n-1)/n for allreduce, (n-1)/n where the vector is"
          + " cut into a block for each rank, else 1, so that it can be compared with a link's"
          + " limit whatever the number of ranks. A broadcast's root may run ahead of the others by"
          + " what the sockets hold. sendrecv is an echo between ranks 0 and 1, 2 and 3, ...; its"
          + " time is that of one way. calibrate measures what the choice of algorithms needs to"
          + " know of a device: alpha, beta and gamma.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  gloo-bench/run allreduce --ranks 4",
      "  gloo-bench/run all --ranks 5 --max 1M --format json",
      "  gloo-bench/run allreduce --threads --ranks 2 --dtype float64 --op max --min 1K --max 1M",
      "  gloo-bench/run broadcast --ranks 3 --root 2 --algorithm tree",
      "  gloo-bench/run allreduce --ranks 128 --processes 8 --sizes 4,64K",
      "  gloo-bench/run calibrate",
      "  gloo-bench/run allreduce --rank 0 --size 2 --store tcp://10.0.0.1:29500     (host 1)",
      "  gloo-bench/run allreduce --rank 1 --size 2 --store tcp://10.0.0.1:29500     (host 2)"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every result is right",
      "1:a result is wrong",
      "2:the command line has an error",
      "3:something failed"
    })
public final class Main implements Commands.Command {

  /** One line per record; read by java.util.logging before its first record. */
  private static final String LOG_FORMAT = "%1$tT.%1$tL %4$s %3$s: %5$s%6$s%n";

  @Mixin private Settings settings;
  @Spec private CommandSpec spec;

  private final Class<?> program;
  private final List<Operation> table;
  private PrintWriter out;
  private PrintWriter err;

  /** A run of the operations that there are. */
  public Main() {
    this(Main.class, Operations.all());
  }

  /**
   * @param program class whose main method makes such an object; ranks are started by it
   * @param table what there is to measure
   */
  Main(Class<?> program, List<Operation> table) {
    this.program = program;
    this.table = table;
  }

  /** Runs what the arguments say. */
  public static void main(String[] arguments) {
    System.exit(Commands.run(new Main(), System.out, System.err, arguments));
  }

  @Override
  public int run(PrintWriter to, PrintWriter errors) throws IOException, InterruptedException {
    out = to;
    err = errors;
    System.setProperty("java.util.logging.SimpleFormatter.format", LOG_FORMAT);
    settings.read(table);
    Logger.getLogger("").setLevel(settings.output.verbose ? Level.INFO : Level.WARNING);
    if (settings.given.child != null) {
      return child();
    }
    Path hdr = settings.output.hdr;
    try {
      Files.createDirectories(hdr == null ? Path.of(".") : hdr);
    } catch (IOException e) {
      throw new IllegalArgumentException("--hdr " + hdr + " cannot be made: " + e, e);
    }
    if (settings.given.rank != null) {
      return member();
    }
    List<String> arguments = spec.commandLine().getParseResult().originalArgs();
    return settings.given.threads
        ? threads()
        : new Launcher(program, arguments, settings, err).run();
  }

  private int member() {
    int rank = settings.given.rank;
    return new RankProgram(
            settings,
            rank,
            builder -> builder.store(settings.given.store),
            settings.output.format.of(out),
            err,
            failure -> failure.print(err, "gloo-bench: ", rank))
        .run();
  }

  /** Runs all ranks as threads, which meet in a store in memory; prints the first failure. */
  private int threads() throws InterruptedException {
    AtomicBoolean reported = new AtomicBoolean();
    BiConsumer<Integer, Failure> failed =
        (rank, failure) -> {
          if (reported.compareAndSet(false, true)) {
            failure.print(err, "gloo-bench: ", rank);
          }
        };
    HashStore store = new HashStore(settings.timeout());
    return RankProgram.runThreads(settings, 0, store, settings.output.format.of(out), err, failed);
  }

  /**
   * Is the ranks of a process that another one has started, and ends when standard input does,
   * which is when that process has ended.
   */
  private int child() throws InterruptedException {
    System.setOut(System.err); // for what others print there
    Thread watch = new Thread(() -> Child.haltAtEndOfInput(ExitCode.FAILURE), "bench-parent-watch");
    watch.setDaemon(true);
    watch.start();
    AtomicReference<Failure> first = new AtomicReference<>();
    BiConsumer<Integer, Failure> failed =
        (rank, failure) -> {
          first.compareAndSet(null, failure);
          failure.print(err, "", rank);
        };
    try (TcpStore store =
        Stores.connect("127.0.0.1", settings.given.childPort, settings.timeout())) {
      int code =
          RankProgram.runThreads(
              settings, settings.given.child, store, settings.output.format.of(out), err, failed);
      boolean consequence = first.get() != null && first.get().isConsequence();
      return consequence ? Launcher.CONSEQUENCE : Launcher.ORDERLY + code;
    }
  }
}
