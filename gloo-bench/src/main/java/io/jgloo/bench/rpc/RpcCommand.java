package io.jgloo.bench.rpc;

import io.jgloo.bench.ExitCode;
import io.jgloo.bench.process.Child;
import io.jgloo.bench.report.Format;
import io.jgloo.bench.report.Machine;
import io.jgloo.bench.report.RpcReport;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.TcpStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Times calls of a function of another process that returns its argument. */
@Command(
    name = "gloo-bench/run rpc",
    sortOptions = false,
    description = {
      "Times calls of a function of another process that returns its argument: one at a time,"
          + " and many at a time.",
      "gRPC-Java is measured beside it once it was built: mvn -Pgrpc -pl gloo-bench -am"
          + " process-classes"
    })
public final class RpcCommand {

  /** First word of the command line. */
  public static final String NAME = "rpc";

  private static final int[] SIZES = {8, 4 << 10, 1 << 20};
  private static final int UNDER_WAY = 1024;
  private static final int PIPELINED_BYTES = 8;
  private static final int MOST_SAMPLES = 1 << 18;

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

  @Option(names = "--format", paramLabel = "F", description = "table (default), json, csv or html")
  private Format format = Format.TABLE;

  @Option(names = "--output", paramLabel = "FILE", description = "write it there")
  private Path output;

  @SuppressWarnings("UnusedVariable") // read by picocli
  @Option(names = "--help", usageHelp = true, description = "this text")
  private boolean help;

  /** One library under measurement, and its times of all rounds. */
  private static final class Subject {
    final EchoLibrary library;
    final EchoLibrary.Client client;
    final List<List<Double>> p50 = new ArrayList<>();
    final List<List<Double>> p99 = new ArrayList<>();
    final List<Double> rates = new ArrayList<>();

    Subject(EchoLibrary library, TcpStore store) throws IOException {
      this.library = library;
      client = library.connect(store);
      for (int size = 0; size < SIZES.length; size++) {
        p50.add(new ArrayList<>());
        p99.add(new ArrayList<>());
      }
    }
  }

  /** Measures; returns the exit code. */
  public int run(PrintWriter out) throws IOException, InterruptedException {
    if (rounds < 1 || millis < 1) {
      throw new IllegalArgumentException("--rounds and --millis must be at least 1");
    }
    Logger.getLogger("").setLevel(Level.WARNING);
    List<Subject> subjects = new ArrayList<>();
    RpcReport report;
    try (TcpStore store = Stores.serve("127.0.0.1", 0, EchoServer.PATIENCE)) {
      List<String> command = new ArrayList<>(Child.java(EchoServer.class));
      command.add("" + store.port());
      Child child = new Child("echo server", new ProcessBuilder(command));
      try {
        child.follow(line -> {}, child::keep, ended -> {});
        for (EchoLibrary library : EchoServer.libraries()) {
          subjects.add(new Subject(library, store));
        }
        report = measure(subjects);
      } catch (ExecutionException e) {
        throw new IOException("a call failed: " + e.getCause() + " " + child.errors(), e);
      } finally {
        subjects.forEach(subject -> subject.client.close());
        child.stop();
      }
    }
    String text = format.render(report);
    if (output == null) {
      out.print(text);
    } else {
      Files.writeString(output, text);
    }
    return ExitCode.VERIFIED;
  }

  private RpcReport measure(List<Subject> subjects)
      throws IOException, ExecutionException, InterruptedException {
    for (int round = -1; round < rounds; round++) { // the first one warms up
      for (Subject subject : subjects) {
        for (int size = 0; size < SIZES.length; size++) {
          double[] micros = echo(subject.client, SIZES[size]);
          if (round >= 0) {
            subject.p50.get(size).add(micros[micros.length / 2]);
            subject.p99.get(size).add(micros[(int) (micros.length * 0.99)]);
          }
        }
        double rate = pipeline(subject.client);
        if (round >= 0) {
          subject.rates.add(rate);
        }
      }
    }
    List<RpcReport.Echo> echoes = new ArrayList<>();
    List<RpcReport.Rate> rates = new ArrayList<>();
    for (Subject subject : subjects) {
      String name = subject.library.name();
      for (int size = 0; size < SIZES.length; size++) {
        double p50 = median(subject.p50.get(size));
        echoes.add(new RpcReport.Echo(name, SIZES[size], p50, median(subject.p99.get(size))));
      }
      rates.add(new RpcReport.Rate(name, PIPELINED_BYTES, UNDER_WAY, median(subject.rates)));
    }
    return new RpcReport(Machine.now(Machine.hostCongestion()), rounds, echoes, rates);
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  /** Times of calls one after another in microseconds, ascending. */
  private double[] echo(EchoLibrary.Client client, int size) throws IOException {
    byte[] bytes = new byte[size];
    double[] micros = new double[MOST_SAMPLES];
    int calls = 0;
    long before = System.nanoTime();
    long end = before + millis * 1_000_000L;
    while (calls < MOST_SAMPLES && (calls == 0 || before - end < 0)) {
      if (client.echo(bytes).length != size) {
        throw new IOException("an echo of " + size + " bytes came back with another length");
      }
      long now = System.nanoTime();
      micros[calls++] = (now - before) / 1e3;
      before = now;
    }
    double[] sorted = Arrays.copyOf(micros, calls);
    Arrays.sort(sorted);
    return sorted;
  }

  /** Calls per second with many under way. */
  private double pipeline(EchoLibrary.Client client)
      throws ExecutionException, InterruptedException {
    byte[] bytes = new byte[PIPELINED_BYTES];
    ArrayDeque<Future<byte[]>> underWay = new ArrayDeque<>();
    long calls = 0;
    long start = System.nanoTime();
    long end = start + millis * 1_000_000L;
    while (System.nanoTime() - end < 0) {
      while (underWay.size() < UNDER_WAY) {
        underWay.add(client.send(bytes));
        calls++;
      }
      while (underWay.size() > UNDER_WAY / 2) {
        underWay.poll().get();
      }
    }
    for (Future<byte[]> call : underWay) {
      call.get();
    }
    return calls / ((System.nanoTime() - start) / 1e9);
  }
}
