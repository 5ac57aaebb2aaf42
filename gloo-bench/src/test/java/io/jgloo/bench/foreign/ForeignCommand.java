package io.jgloo.bench.foreign;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.transport.JGlooException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Runs one rank of a job whose other ranks are those of C++ Gloo, as {@code gloo_rank} does. */
public final class ForeignCommand {
  private static final int DONE = 0;
  private static final int USAGE = 2;
  private static final int FAILURE = 3;

  /** What the user may say. */
  @Command(
      name = "gloo-bench/peers/jgloo_rank",
      sortOptions = false,
      usageHelpWidth = 100,
      abbreviateSynopsis = true,
      description = {
        "Runs one rank of a job of C++ Gloo. OP is a collective or one of Gloo's classes, with"
            + " what",
        "gloo_rank takes: allreduce type=float32 reduce=sum count=1000 root=0 seed=1"
      })
  private static final class Choice {
    @Parameters(paramLabel = "OP [K=V]", description = "one case; see gloo-bench/peers/README.md")
    private List<String> words = new ArrayList<>();

    @Option(names = "--plan", paramLabel = "FILE", description = "a case a line instead of OP")
    private Path plan;

    @Option(
        names = "--wire",
        paramLabel = "W",
        required = true,
        description = "gloo (current; PyTorch 2.1 and later) or gloo-classic (before May 2023)")
    private String wire;

    @Option(names = "--rank", paramLabel = "R", required = true, description = "this rank")
    private int rank;

    @Option(names = "--size", paramLabel = "N", required = true, description = "of how many")
    private int size;

    @Option(
        names = "--store",
        paramLabel = "URL",
        required = true,
        description = "file:///dir, redis://host:port or tcp://host:port?serve=no")
    private String store;

    @Option(names = "--prefix", paramLabel = "P", description = "of the keys (default: none)")
    private String prefix = "";

    @Option(
        names = "--pytorch",
        description =
            "the others are of PyTorch's ProcessGroupGloo; --prefix is then all before"
                + " the rank in its keys (default: the default group's)")
    private boolean pytorch;

    @Option(
        names = "--dump",
        paramLabel = "DIR",
        required = true,
        description =
            "where outputs are written: rank-R.bin, and rank-R.txt that says what is what")
    private Path dump;

    @Option(
        names = "--host",
        paramLabel = "ADDR",
        defaultValue = "127.0.0.1",
        description = "address to listen on (default: ${DEFAULT-VALUE})")
    private String host;

    @Option(
        names = "--factory",
        description = "work on a second mesh, made over the first as by C++'s ContextFactory")
    private boolean factory;

    @Option(
        names = "--device-option",
        paramLabel = "K=V",
        description = "attribute of the device; may be repeated")
    private Map<String, String> attributes = new LinkedHashMap<>();

    @Option(
        names = "--timeout",
        paramLabel = "S",
        defaultValue = "30",
        description = "seconds a call, and the meeting, may take (default: ${DEFAULT-VALUE})")
    private int timeout;

    @Option(names = "--help", usageHelp = true, description = "this text")
    private boolean help;
  }

  private final PrintWriter out;
  private final PrintWriter err;

  private ForeignCommand(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  /** Runs what the arguments say. */
  public static void main(String[] arguments) {
    PrintWriter out = new PrintWriter(System.out, false, UTF_8);
    PrintWriter err = new PrintWriter(System.err, false, UTF_8);
    System.exit(new ForeignCommand(out, err).run(arguments));
  }

  /** Runs to the end; returns the exit code. */
  private int run(String... arguments) {
    Choice choice = new Choice();
    CommandLine parser = new CommandLine(choice);
    try {
      parser.parseArgs(arguments);
      if (choice.help) {
        parser.usage(out);
        out.flush();
        return DONE;
      }
      perform(choice);
      return DONE;
    } catch (ParameterException | IllegalArgumentException | UnsupportedOperationException e) {
      return fail(e.getMessage() + "\nTry gloo-bench/peers/jgloo_rank --help", USAGE);
    } catch (JGlooException | IOException e) {
      return fail("rank " + choice.rank + ": " + e, FAILURE);
    }
  }

  private void perform(Choice choice) throws IOException {
    List<Case> plan = new ArrayList<>();
    if (!choice.words.isEmpty()) {
      plan.add(Case.of(String.join(" ", choice.words)));
    }
    if (choice.plan != null) {
      Files.readAllLines(choice.plan).forEach(line -> plan.add(Case.of(line)));
    }
    if (plan.isEmpty()) {
      throw new IllegalArgumentException("neither OP nor --plan is given");
    }
    Map<String, String> attributes = new LinkedHashMap<>(choice.attributes);
    attributes.put("wire", choice.wire);
    attributes.putIfAbsent("bind", choice.host);
    Duration timeout = Duration.ofSeconds(choice.timeout);
    Files.createDirectories(choice.dump);
    ForeignRank rank =
        new ForeignRank(
            choice.rank,
            choice.size,
            choice.store,
            choice.prefix,
            choice.pytorch,
            attributes,
            timeout);
    ForeignRank.Task<IOException> task =
        group -> new PlanRun(group, choice.pytorch, choice.dump, this::begins).run(plan);
    if (choice.factory) {
      rank.runCloned(task);
    } else {
      rank.run(task);
    }
  }

  private void begins(int number) {
    out.println("begin " + number);
    out.flush();
  }

  private int fail(String why, int code) {
    err.println("jgloo_rank: " + why);
    err.flush();
    return code;
  }
}
