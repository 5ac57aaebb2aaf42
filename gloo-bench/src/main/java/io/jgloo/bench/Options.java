package io.jgloo.bench;

import io.jgloo.bench.operation.Operation;
import io.jgloo.bench.operation.Operations;
import io.jgloo.bench.report.Format;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command line as it is typed; {@link SettingsReader} checks it. */
@Command(
    name = "gloo-bench/run",
    sortOptions = false,
    usageHelpWidth = 100,
    usageHelpAutoWidth = true,
    abbreviateSynopsis = true,
    description = {
      "",
      "Verifies and times collectives between real ranks. Every size is verified on every rank"
          + " against a reference before it is timed and again afterwards: bit by bit, with data"
          + " that differ by rank, position and round.",
      "",
      "Calls are timed one by one and back to back, after warming up, at every rank. A percentile"
          + " is the slowest rank's: each rank takes it of its own calls, and the greatest is reported."
          + " Bandwidths are bytes by median time, 1 GB = 10^9 bytes: algbw is that of the vector,"
          + " busbw is algbw times 2(n-1)/n for allreduce, (n-1)/n where the vector is cut into a"
          + " block for each rank, else 1, so that it can be compared with a link's limit whatever"
          + " the number of ranks. A broadcast's root may run ahead of the others by what the"
          + " sockets hold. sendrecv is an echo between ranks 0 and 1, 2 and 3, ...; its time is"
          + " that of one way. calibrate measures what the choice of algorithms needs to know of a"
          + " device: alpha, beta and gamma.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  gloo-bench/run allreduce --ranks 4",
      "  gloo-bench/run all --ranks 5 --max 1M --format json --output result.json",
      "  gloo-bench/run allreduce --threads --ranks 2 --dtype float64 --op max --min 1K --max 1M",
      "  gloo-bench/run broadcast --ranks 3 --root 2 --algorithm tree",
      "  gloo-bench/run allreduce --ranks 128 --processes 8 --sizes 4,64K",
      "  gloo-bench/run calibrate",
      "  gloo-bench/run render result.json --format html",
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
final class Options {

  @Parameters(
      index = "0",
      paramLabel = "OP",
      completionCandidates = OperationNames.class,
      description =
          "one of: ${COMPLETION-CANDIDATES}; case and hyphens do not matter. Other commands: diagnose,"
              + " render, rpc, store")
  String operation;

  /** What the table of operations holds, and the word for all of it. */
  static final class OperationNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.concat(
              Operations.all().stream().map(Operation::name), Stream.of(SettingsReader.ALL))
          .iterator();
    }
  }

  @ArgGroup(validate = false, order = 1, heading = "%nRanks:%n")
  Ranks ranks = new Ranks();

  @ArgGroup(validate = false, order = 2, heading = "%nWhat to measure:%n")
  Work work = new Work();

  @ArgGroup(validate = false, order = 3, heading = "%nHow the ranks reach each other:%n")
  Network network = new Network();

  @ArgGroup(validate = false, order = 4, heading = "%nHow to measure:%n")
  Measure measure = new Measure();

  @ArgGroup(validate = false, order = 5, heading = "%nWhat to report:%n")
  Output output = new Output();

  static final class Ranks {
    @Option(
        names = "--ranks",
        paramLabel = "N",
        description = "start N ranks on this machine (default: 2)")
    Integer local;

    @Option(names = "--threads", description = "... as threads of one JVM, not as processes")
    boolean threads;

    @Option(
        names = "--processes",
        paramLabel = "N",
        description =
            "... as threads of N processes, the first ranks in the first (default: one process for"
                + " each rank)")
    Integer processes;

    @Option(
        names = "--rank",
        paramLabel = "R",
        description = "be rank R of a job whose other ranks are started elsewhere")
    Integer rank;

    @Option(names = "--size", paramLabel = "N", description = "... of N ranks")
    Integer size;

    @Option(
        names = "--store",
        paramLabel = "URL",
        description =
            "... that meet at file:///dir (any shared folder) or tcp://host:port (rank 0 serves)")
    String store;

    @Option(names = "--child", hidden = true)
    Integer child;

    @Option(names = "--child-store", hidden = true)
    String childStore;
  }

  static final class Work {
    @Option(names = "--dtype", paramLabel = "T", description = "element type (default: float32)")
    String type;

    @Option(
        names = "--op",
        paramLabel = "OP",
        description = "reduction: sum, product, min, max, ... (default: sum)")
    String op;

    @Option(
        names = "--root",
        paramLabel = "R",
        description = "root of rooted operations (default: 0)")
    Integer root;

    @Option(
        names = "--algorithm",
        paramLabel = "A",
        description =
            "algorithm by name, those of providers on JGLOO_CLASSPATH included (default: the library"
                + " chooses by size and ranks)")
    String algorithm;

    @Option(names = "--in-place", description = "one vector for input and output")
    boolean inPlace;

    @Option(
        names = "--out-of-place",
        description = "two vectors, where the operation allows (default)")
    boolean outOfPlace;

    @Option(
        names = "--memory",
        paramLabel = "KIND",
        description =
            "direct: off the heap (default); heap: Java arrays;"
                + " allocated: memory of the group, read in place by ranks of the host")
    String memory;
  }

  static final class Network {
    @Option(names = "--device", paramLabel = "NAME", description = "kind of device (default: tcp)")
    String device = "tcp";

    @Option(
        names = "--device-option",
        paramLabel = "K=V",
        description = "attribute of the device; may be repeated")
    Map<String, String> options = new LinkedHashMap<>();

    @Option(
        names = "--memory-route",
        paramLabel = "USE",
        description =
            "auto: ranks of one host share memory if they can (default); off: they use sockets;"
                + " require: fail if they cannot")
    String memoryRoute;

    @Option(
        names = "--hosts",
        paramLabel = "N",
        description =
            "pretend that the ranks are on N hosts, the first ranks on the first: those of different"
                + " hosts do not share memory, and algorithms are chosen for N hosts")
    Integer hosts;

    @Option(
        names = "--interface",
        paramLabel = "IF",
        description =
            "interface to listen on (default: loopback with --ranks, else the one that leads to the"
                + " store)")
    String interfaceName;
  }

  static final class Measure {
    @Option(
        names = "--min",
        paramLabel = "SIZE",
        converter = ByteSize.class,
        description = "least bytes per rank; K, M, G are powers of 1024 (default: 4)")
    Long min;

    @Option(
        names = "--max",
        paramLabel = "SIZE",
        converter = ByteSize.class,
        description = "most bytes per rank, inclusive (default: 64M)")
    Long max;

    @Option(
        names = "--factor",
        paramLabel = "F",
        description = "from one size to the next (default: 4)")
    Integer factor;

    @Option(
        names = "--sizes",
        paramLabel = "SIZE",
        split = ",",
        converter = ByteSize.class,
        description = "these sizes and no others, with commas")
    List<Long> sizes;

    @Option(
        names = "--iters",
        paramLabel = "N",
        description = "timed calls per size (default: what takes 0.3 s, 20 to 20000)")
    Integer iterations;

    @Option(
        names = "--warmup",
        paramLabel = "N",
        description =
            "calls before them (default: until times are stable and the JVM compiles no more,"
                + " 6 s at most)")
    Integer warmup;

    @Option(
        names = "--timeout",
        paramLabel = "S",
        description = "seconds a call, and the ranks' meeting, may take (default: 60)")
    int timeout = 60;
  }

  static final class Output {
    @Option(
        names = "--format",
        paramLabel = "F",
        description = "table (default), json, csv or html")
    Format format = Format.TABLE;

    @Option(
        names = "--output",
        paramLabel = "FILE",
        description = "write the report to FILE at the end, and the table to the screen")
    Path file;

    @Option(
        names = "--hdr",
        paramLabel = "DIR",
        description = "write all times as histograms to DIR/rank-R-SIZE.hlog")
    Path hdr;

    @Option(
        names = "--dump",
        paramLabel = "DIR",
        description = "write each rank's output of the last size to DIR/rank-R.bin")
    Path dump;

    @Option(
        names = {"-v", "--verbose"},
        description = "show log lines of all ranks")
    boolean verbose;

    @Option(
        names = {"-h", "--help"},
        usageHelp = true,
        description = "print this")
    boolean help;
  }
}
