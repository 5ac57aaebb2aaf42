package io.jgloo.bench.rpc;

import static io.jgloo.bench.command.Commands.requireAtLeast;

import io.jgloo.bench.command.Commands;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.process.Child;
import io.jgloo.bench.process.Job;
import io.jgloo.bench.report.Format;
import io.jgloo.bench.report.Machine;
import io.jgloo.bench.report.Report;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.TcpStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Times calls of a function of another process that returns its argument. */
@Command(
    name = "gloo-bench/run rpc",
    showDefaultValues = true,
    description = {
      "Times calls of a function of another process that returns its argument: one at a time,"
          + " and many at a time; and remote references: create, fetch, close.",
      "gRPC-Java is measured beside it once it was built: mvn -Pgrpc -pl gloo-bench -am"
          + " process-classes"
    })
public final class RpcCommand implements Commands.Command {
  private static final int[] SIZES = {8, 4 << 10, 1 << 20};
  private static final int UNDER_WAY = 1024;
  private static final int PIPELINED_BYTES = 8;
  private static final int REFERENCES_UNDER_WAY = 16;
  private static final String RATE = "rate";
  private static final String REFERENCES = "references";

  /** The first round takes this many times as long, and does not count. */
  private static final int WARM_UP = 4;

  @Option(names = "--rounds", description = "how often all is measured; the median counts")
  private int rounds = 5;

  @Option(names = "--millis", description = "length of one measurement")
  private int millis = 500;

  @Option(
      names = "--pytorch",
      paramLabel = "DRIVER",
      description =
          "measure PyTorch's rpc beside it, of the Debian package python3-torch, by"
              + " gloo-bench/peers/torch_rpc.py")
  private Path pytorch;

  @Option(names = "--format", description = Format.OPTION)
  private Format format = Format.TABLE;

  /** A library under measurement, connected to its server. */
  interface Subject extends AutoCloseable {

    /** What reports call it. */
    String name();

    /** Calls one after another; returns median and 99th percentile in microseconds. */
    double[] echo(int bytes, int millis) throws IOException, InterruptedException;

    /** Returns calls per second with this many under way. */
    double pipeline(int bytes, int underWay, int millis) throws IOException, InterruptedException;

    /**
     * Makes a value at the server, fetches and frees it, again and again.
     *
     * @return median and 99th percentile in microseconds, and how many per second with some under
     *     way; null if the library has no references
     */
    double[] references(int underWay, int millis) throws IOException, InterruptedException;

    @Override
    void close();
  }

  private record Echo(String library, long bytes, double p50Us, double p99Us) {}

  private record Rate(String library, long bytes, int underWay, double callsPerSecond) {}

  private record Reference(
      String library, long bytes, double p50Us, double p99Us, int underWay, double perSecond) {}

  /** One library, and its figures of all rounds. */
  private static final class Series {
    final Subject subject;
    final String name;
    final Map<String, List<double[]>> figures = new HashMap<>();

    Series(Subject subject) {
      this.subject = subject;
      name = subject.name();
    }

    void measure(int millis) throws IOException, InterruptedException {
      for (int size : SIZES) {
        keep("" + size, subject.echo(size, millis));
      }
      keep(RATE, subject.pipeline(PIPELINED_BYTES, UNDER_WAY, millis));
      double[] references = subject.references(REFERENCES_UNDER_WAY, millis);
      if (references != null) {
        keep(REFERENCES, references);
      }
    }

    private void keep(String what, double... round) {
      figures.computeIfAbsent(what, none -> new ArrayList<>()).add(round);
    }

    double median(String what, int column) {
      List<Double> all = figures.get(what).stream().map(each -> each[column]).sorted().toList();
      return all.get(all.size() / 2);
    }
  }

  @Override
  public int run(PrintWriter out, PrintWriter err) throws IOException, InterruptedException {
    requireAtLeast(1, "--rounds", rounds);
    requireAtLeast(1, "--millis", millis);
    List<Series> all = new ArrayList<>();
    try (TcpStore store = Stores.serve("127.0.0.1", 0, EchoLibrary.PATIENCE);
        Job job = new Job()) {
      List<String> command = Child.java(EchoLibrary.class);
      command.add("" + store.port());
      Child child = job.start("echo server", new ProcessBuilder(command));
      child.follow(line -> {}, null, null);
      try {
        for (EchoLibrary library : EchoLibrary.libraries()) {
          all.add(new Series(new JavaSubject(library.name(), library.connect(store))));
        }
        if (pytorch != null) {
          all.add(new Series(new TorchSubject(pytorch)));
        }
        out.print(format.render(measure(all)));
      } catch (IOException e) {
        throw new IOException(e.getMessage() + " " + child.errors(), e);
      } finally {
        all.forEach(series -> series.subject.close());
      }
    }
    return ExitCode.VERIFIED;
  }

  private Report measure(List<Series> all) throws IOException, InterruptedException {
    for (Series series : all) {
      series.measure(WARM_UP * millis);
      series.figures.clear();
    }
    for (int round = 0; round < rounds; round++) {
      for (Series series : all) {
        series.measure(millis);
      }
    }
    List<Echo> echoes = new ArrayList<>();
    List<Rate> rates = new ArrayList<>();
    List<Reference> references = new ArrayList<>();
    for (Series each : all) {
      for (int size : SIZES) {
        echoes.add(new Echo(each.name, size, each.median("" + size, 0), each.median("" + size, 1)));
      }
      rates.add(new Rate(each.name, PIPELINED_BYTES, UNDER_WAY, each.median(RATE, 0)));
      if (each.figures.containsKey(REFERENCES)) {
        double p50 = each.median(REFERENCES, 0);
        double p99 = each.median(REFERENCES, 1);
        double perSecond = each.median(REFERENCES, 2);
        references.add(
            new Reference(each.name, Long.BYTES, p50, p99, REFERENCES_UNDER_WAY, perSecond));
      }
    }
    String medians = "Medians of " + rounds + " rounds.";
    return new Report(Machine.now())
        .fact("rounds", rounds)
        .table("echoes", "One call at a time", medians, echoes)
        .table("rates", "Pipelined calls", medians, rates)
        .table("references", "Remote references: create, fetch, close", medians, references);
  }
}
