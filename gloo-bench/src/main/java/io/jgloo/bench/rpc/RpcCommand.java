package io.jgloo.bench.rpc;

import static io.jgloo.bench.command.Commands.require;

import io.jgloo.bench.command.Commands.Help;
import io.jgloo.bench.command.Commands.Subcommand;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.process.Child;
import io.jgloo.bench.report.Format;
import io.jgloo.bench.report.Machine;
import io.jgloo.bench.report.RpcReport;
import io.jgloo.bench.rpc.Subject.References;
import io.jgloo.bench.rpc.Subject.Times;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.TcpStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Times calls of a function of another process that returns its argument. */
@Command(
    name = "gloo-bench/run rpc",
    sortOptions = false,
    description = {
      "Times calls of a function of another process that returns its argument: one at a time,"
          + " and many at a time; and remote references: create, fetch, close.",
      "gRPC-Java is measured beside it once it was built: mvn -Pgrpc -pl gloo-bench -am"
          + " process-classes"
    })
public final class RpcCommand implements Subcommand {

  private static final int[] SIZES = {8, 4 << 10, 1 << 20};
  private static final int UNDER_WAY = 1024;
  private static final int PIPELINED_BYTES = 8;
  private static final int REFERENCES_UNDER_WAY = 16;

  /** The first round takes this many times as long, and does not count. */
  private static final int WARM_UP = 4;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "how often all is measured; the median counts (default: ${DEFAULT-VALUE})")
  private int rounds;

  @Option(
      names = "--millis",
      paramLabel = "MS",
      defaultValue = "500",
      description = "length of one measurement (default: ${DEFAULT-VALUE})")
  private int millis;

  @Option(
      names = "--pytorch",
      paramLabel = "DRIVER",
      description =
          "measure PyTorch's rpc beside it, of the Debian package python3-torch, by"
              + " gloo-bench/peers/torch_rpc.py")
  private Path pytorch;

  @Option(names = "--format", paramLabel = "F", description = "table (default), json, csv or html")
  private Format format = Format.TABLE;

  @Option(names = "--output", paramLabel = "FILE", description = "write it there")
  private Path output;

  @Mixin Help help;

  /** One library, and its figures of all rounds. */
  private static final class Series {

    final Subject subject;
    final List<List<Times>> echoes = new ArrayList<>();
    final List<Double> rates = new ArrayList<>();
    final List<References> references = new ArrayList<>();

    Series(Subject subject) {
      this.subject = subject;
      for (int size = 0; size < SIZES.length; size++) {
        echoes.add(new ArrayList<>());
      }
    }

    static double median(List<Double> values) {
      return values.stream().sorted().toList().get(values.size() / 2);
    }

    static Times median(Stream<Times> times) {
      List<Times> all = times.toList();
      return new Times(
          median(all.stream().map(Times::p50).toList()),
          median(all.stream().map(Times::p99).toList()));
    }
  }

  @Override
  public int run(PrintWriter out) throws IOException, InterruptedException {
    require(rounds >= 1 && millis >= 1, "--rounds and --millis must be at least 1");
    Logger.getLogger("").setLevel(Level.WARNING);
    List<Series> all = new ArrayList<>();
    RpcReport report;
    try (TcpStore store = Stores.serve("127.0.0.1", 0, EchoServer.PATIENCE)) {
      List<String> command = new ArrayList<>(Child.java(EchoServer.class));
      command.add("" + store.port());
      Child child = new Child("echo server", new ProcessBuilder(command));
      try {
        child.follow(line -> {}, child::keep, ended -> {});
        for (EchoLibrary library : EchoServer.libraries()) {
          all.add(new Series(new JavaSubject(library.name(), library.connect(store))));
        }
        if (pytorch != null) {
          all.add(new Series(new TorchSubject(pytorch)));
        }
        report = measure(all);
      } catch (IOException e) {
        throw new IOException(e.getMessage() + " " + child.errors(), e);
      } finally {
        all.forEach(series -> series.subject.close());
        child.stop();
      }
    }
    format.write(report, output, out);
    return ExitCode.VERIFIED;
  }

  private RpcReport measure(List<Series> all) throws IOException, InterruptedException {
    for (Series series : all) {
      measure(series, WARM_UP * millis);
      series.echoes.forEach(List::clear);
      series.rates.clear();
      series.references.clear();
    }
    for (int round = 0; round < rounds; round++) {
      for (Series series : all) {
        measure(series, millis);
      }
    }
    List<RpcReport.Echo> echoes = new ArrayList<>();
    List<RpcReport.Rate> rates = new ArrayList<>();
    List<RpcReport.Reference> references = new ArrayList<>();
    for (Series series : all) {
      String name = series.subject.name();
      for (int size = 0; size < SIZES.length; size++) {
        Times times = Series.median(series.echoes.get(size).stream());
        echoes.add(new RpcReport.Echo(name, SIZES[size], times.p50(), times.p99()));
      }
      double rate = Series.median(series.rates);
      rates.add(new RpcReport.Rate(name, PIPELINED_BYTES, UNDER_WAY, rate));
      if (!series.references.isEmpty()) {
        Times times = Series.median(series.references.stream().map(References::times));
        double perSecond =
            Series.median(series.references.stream().map(References::perSecond).toList());
        references.add(
            new RpcReport.Reference(
                name, times.p50(), times.p99(), REFERENCES_UNDER_WAY, perSecond));
      }
    }
    return new RpcReport(Machine.now(), rounds, echoes, rates, references);
  }

  private static void measure(Series series, int millis) throws IOException, InterruptedException {
    for (int size = 0; size < SIZES.length; size++) {
      series.echoes.get(size).add(series.subject.echo(SIZES[size], millis));
    }
    series.rates.add(series.subject.pipeline(PIPELINED_BYTES, UNDER_WAY, millis));
    References references = series.subject.references(REFERENCES_UNDER_WAY, millis);
    if (references != null) {
      series.references.add(references);
    }
  }
}
