package io.jgloo.bench.compare;

import io.jgloo.bench.compare.Peer.Task;
import io.jgloo.bench.compare.Peer.Timing;
import io.jgloo.bench.probe.TlsLimit;
import io.jgloo.bench.process.Child;
import io.jgloo.bench.process.Job;
import io.jgloo.bench.process.JobCertificate;
import io.jgloo.bench.process.TemporaryFolder;
import io.jgloo.bench.report.Comparison.Point;
import io.jgloo.bench.report.Sheet;
import io.jgloo.bench.report.Statistic;
import io.jgloo.bench.report.Target.Series;
import io.netty.handler.ssl.OpenSsl;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What secret, heartbeats, checksums and TLS cost an allreduce of two processes, and what TLS alone
 * costs: a {@link TlsLimit} of each library.
 */
record Protection(OwnPeers own, int rounds) {

  private static final String ALLREDUCE = "allreduce";
  private static final int RANKS = 2;
  private static final int MILLIS = 300;
  private static final int QUICK_CALLS = 50;
  private static final int MIB = 1 << 20;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String BORING = "BoringSSL";
  private static final String JDK = "the JDK";
  private static final String NO_BORING = "-Dio.netty.handler.ssl.noOpenSsl=true";

  /**
   * Measures by turns.
   *
   * @param failures gets what could not be measured
   */
  List<Map<String, Object>> measure(PrintWriter progress, List<String> failures)
      throws IOException, InterruptedException {
    try (TemporaryFolder folder = TemporaryFolder.create()) {
      List<Long> sizes = own.quick() ? List.of(4L, 65_536L) : List.of(4L, (long) MIB, 16L * MIB);
      List<Task> tasks = List.of(new Task(ALLREDUCE, RANKS, sizes, MILLIS));
      Rounds measured = new Rounds(peers(folder.path()), tasks, progress);
      measured.run(rounds);
      failures.addAll(measured.failures());
      if (!OpenSsl.isAvailable()) {
        failures.add(BORING + " is not available: " + OpenSsl.unavailabilityCause());
      }
      Points points = new Points(measured.samples());
      return points.all().stream().map(point -> row(point, points)).toList();
    }
  }

  private static Map<String, Object> row(Point point, Points points) {
    Statistic times =
        points
            .ratio(ALLREDUCE, RANKS, point.bytes(), point.series(), Series.OURS)
            .orElse(new Statistic(Double.NaN, Double.NaN, Double.NaN));
    return Sheet.row(
        "form", point.series(),
        "bytes", point.bytes(),
        "us", point.p50Us().median(),
        "least", point.p50Us().least(),
        "most", point.p50Us().most(),
        "timesPlain", times.median(),
        "leastTimes", times.least(),
        "mostTimes", times.most());
  }

  private List<Peer> peers(Path folder) throws IOException {
    Path secret = secret(folder);
    JobCertificate files = JobCertificate.create(folder);
    List<String> tls =
        List.of(
            "tls-rank=any",
            "tls-certificate=" + files.certificate(),
            "tls-key=" + files.key(),
            "tls-ca=" + files.authority());
    List<Peer> peers = new ArrayList<>();
    peers.add(own.sockets(Series.OURS, List.of(), List.of()));
    peers.add(own.sockets("secret", List.of(), List.of("secret-file=" + secret)));
    peers.add(own.sockets("heartbeat=1000", List.of(), List.of("heartbeat=1000")));
    peers.add(own.sockets("checksum=crc32c", List.of(), List.of("checksum=crc32c")));
    if (OpenSsl.isAvailable()) {
      peers.add(own.sockets("TLS, " + BORING, List.of(), tls));
      peers.add(limit(BORING, List.of(), files));
    }
    peers.add(own.sockets("TLS, " + JDK, List.of(NO_BORING), tls));
    peers.add(limit(JDK, List.of(NO_BORING), files));
    return peers;
  }

  private Peer limit(String library, List<String> flags, JobCertificate files) {
    String series = "bare engine, " + library;
    return new Peer(
        series,
        "one JVM, a thread for each end of a connection",
        Task::isAllreduce,
        task -> {
          List<String> command = Child.java(TlsLimit.class);
          command.addAll(1, flags);
          command.addAll(List.of("" + files.certificate(), "" + files.key()));
          command.add("" + files.authority());
          command.add("" + (own.quick() ? QUICK_CALLS : 0));
          task.sizes().forEach(size -> command.add(size.toString()));
          return Timing.parse(series, "exchange", Job.run(PATIENCE, command));
        });
  }

  private static Path secret(Path folder) throws IOException {
    Path file = JobCertificate.ownersOnly(folder.resolve("secret"));
    return Files.writeString(file, "a secret for measurements");
  }
}
