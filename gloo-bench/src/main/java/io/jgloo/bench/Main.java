package io.jgloo.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.bench.RankProgram.Failure;
import io.jgloo.bench.command.Commands;
import io.jgloo.bench.command.Commands.Help;
import io.jgloo.bench.command.Commands.Subcommand;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.diagnose.DiagnoseCommand;
import io.jgloo.bench.operation.Operation;
import io.jgloo.bench.operation.Operations;
import io.jgloo.bench.process.Child;
import io.jgloo.bench.report.Event;
import io.jgloo.bench.report.Format;
import io.jgloo.bench.rpc.RpcCommand;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rendezvous.store.TcpStore;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The command line: verifies and times collectives.
 *
 * <p>One JVM may be all ranks (threads), some or one of them, or the parent of all ranks.
 */
public final class Main {

  /** One line per record; read by java.util.logging before its first record. */
  private static final String LOG_FORMAT = "%1$tT.%1$tL %4$s %3$s: %5$s%6$s%n";

  private static final String CLEAR_LINE = "\r\u001b[K";

  private static final Map<String, Supplier<Subcommand>> SUBCOMMANDS =
      Map.of(
          "diagnose", DiagnoseCommand::new,
          "render", Render::new,
          "rpc", RpcCommand::new,
          "store", StoreCommand::new);

  private final Class<?> program;
  private final List<Operation> operations;
  private final PrintWriter out;
  private final PrintWriter err;

  /**
   * @param program class with the main method that got here; ranks are started by it
   * @param operations what there is to measure
   */
  Main(Class<?> program, List<Operation> operations, PrintStream out, PrintStream err) {
    this.program = program;
    this.operations = operations;
    this.out = new PrintWriter(out, false, UTF_8);
    this.err = new PrintWriter(err, false, UTF_8);
  }

  /** Runs what the arguments say. */
  public static void main(String[] arguments) {
    Main main = new Main(Main.class, Operations.all(), System.out, System.err);
    System.exit(main.run(arguments));
  }

  /** Runs what the arguments say; returns the exit code. */
  int run(String... arguments) {
    String first = arguments.length == 0 ? "" : arguments[0];
    String[] rest = Arrays.stream(arguments).skip(1).toArray(String[]::new);
    if (SUBCOMMANDS.containsKey(first)) {
      Subcommand command = SUBCOMMANDS.get(first).get();
      return Commands.run(command, () -> command.run(out), out, err, rest);
    }
    Options options = new Options();
    return Commands.run(options, () -> run(options, List.of(arguments)), out, err, arguments);
  }

  private static void log(boolean verbose) {
    System.setProperty("java.util.logging.SimpleFormatter.format", LOG_FORMAT);
    Logger.getLogger("").setLevel(verbose ? Level.INFO : Level.WARNING);
  }

  private int run(Options options, List<String> arguments)
      throws IOException, InterruptedException {
    log(options.output.verbose);
    Settings settings = new SettingsReader(options, operations).read();
    Options.Ranks ranks = options.ranks;
    if (ranks.child != null) {
      return child(settings, ranks.child, ranks.childStore);
    }
    makeFolders(settings);
    if (ranks.rank != null && ranks.rank != 0) {
      return member(settings, ranks, event -> {});
    }
    Optional<OutputFile> file = file(options.output.file);
    try {
      Consumer<Event> report = report(options.output.format, file);
      int code;
      if (ranks.rank != null) {
        code = member(settings, ranks, report);
      } else if (ranks.threads) {
        code = threads(settings, report);
      } else {
        code =
            new Launcher(program, arguments, settings, report, err, options.output.verbose).run();
      }
      if (file.isPresent() && code <= ExitCode.WRONG) {
        file.get().publish();
      }
      return code;
    } finally {
      if (file.isPresent()) {
        file.get().close();
      }
    }
  }

  private Consumer<Event> report(Format format, Optional<OutputFile> file) {
    Consumer<Event> report = (file.isPresent() ? Format.TABLE : format).of(out);
    if (file.isPresent()) {
      report = report.andThen(format.of(file.get().writer()));
    }
    return Boolean.getBoolean("io.jgloo.bench.terminal") ? withPhase(report) : report;
  }

  /** Adds a line on a terminal that shows the phase, and disappears before other lines. */
  private Consumer<Event> withPhase(Consumer<Event> report) {
    return event -> {
      err.print(event.phase() == null ? CLEAR_LINE : CLEAR_LINE + event.phase() + " ...");
      err.flush();
      report.accept(event);
    };
  }

  private static Optional<OutputFile> file(Path path) {
    if (path == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(OutputFile.create(path));
    } catch (IOException e) {
      throw new IllegalArgumentException("--output " + path + " cannot be written: " + e, e);
    }
  }

  private static void makeFolders(Settings settings) {
    for (Operation operation : settings.operations()) {
      settings.hdr().ifPresent(hdr -> makeFolder("--hdr", settings.folder(hdr, operation)));
      settings.dump().ifPresent(dump -> makeFolder("--dump", settings.folder(dump, operation)));
    }
  }

  private static void makeFolder(String option, Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new IllegalArgumentException(option + " " + folder + " cannot be made: " + e, e);
    }
  }

  private int member(Settings settings, Options.Ranks ranks, Consumer<Event> report) {
    RankProgram program =
        new RankProgram(
            settings,
            ranks.rank,
            builder -> builder.store(ranks.store),
            report,
            err,
            failure -> failure.print(err, "gloo-bench: ", ranks.rank));
    return program.run();
  }

  /** Runs all ranks as threads, which meet in a store in memory; prints the first failure. */
  private int threads(Settings settings, Consumer<Event> report) throws InterruptedException {
    AtomicBoolean reported = new AtomicBoolean();
    BiConsumer<Integer, Failure> failed =
        (rank, failure) -> {
          if (reported.compareAndSet(false, true)) {
            failure.print(err, "gloo-bench: ", rank);
          }
        };
    HashStore store = new HashStore(settings.timeout());
    return RankProgram.runThreads(settings, 0, store, report, err, failed);
  }

  /**
   * Is the ranks of a process that another one has started: reports on standard output, and ends
   * when standard input does, which is when that process has ended.
   */
  private int child(Settings settings, int process, String store) throws InterruptedException {
    System.setOut(System.err); // for what others print there
    Thread watch = new Thread(() -> Child.haltAtEndOfInput(ExitCode.FAILURE), "bench-parent-watch");
    watch.setDaemon(true);
    watch.start();
    int colon = store.lastIndexOf(':');
    int port = Integer.parseInt(store.substring(colon + 1));
    AtomicReference<Failure> first = new AtomicReference<>();
    int code;
    try (TcpStore meeting = Stores.connect(store.substring(0, colon), port, settings.timeout())) {
      BiConsumer<Integer, Failure> failed =
          (rank, failure) -> {
            first.compareAndSet(null, failure);
            failure.print(err, "", rank);
          };
      code = RankProgram.runThreads(settings, process, meeting, this::print, err, failed);
    }
    err.flush();
    print(Event.exit(code, first.get() != null && first.get().isConsequence()));
    return code;
  }

  private void print(Event event) {
    out.println(event.encode());
    out.flush();
  }

  /** Renders a JSON document that a run or a comparison has written. */
  @Command(
      name = "gloo-bench/run render",
      sortOptions = false,
      description =
          "Prints a JSON document of gloo-bench/run or gloo-bench/compare in another form.")
  static final class Render implements Subcommand {

    @Parameters(paramLabel = "FILE", description = "result.json of run, or report.json of compare")
    private Path file;

    @Option(
        names = "--format",
        paramLabel = "F",
        description = "table (default), json, csv or html")
    private Format format = Format.TABLE;

    @Mixin Help help;

    @Override
    public int run(PrintWriter out) throws IOException {
      out.print(format.render(Format.read(Files.readString(file))));
      return ExitCode.VERIFIED;
    }
  }
}
