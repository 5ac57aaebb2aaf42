package io.jgloo.bench;

import io.jgloo.bench.operation.Findings;
import io.jgloo.bench.operation.Operation;
import io.jgloo.bench.operation.Seat;
import io.jgloo.bench.operation.Trial;
import io.jgloo.bench.report.Report;
import io.jgloo.bench.report.Row;
import io.jgloo.collectives.ReduceOp;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * All measurements of a run, at one rank.
 *
 * <p>A line: verify, warm up, time, verify what the timed calls left, verify once more.
 *
 * <p><em>Threads</em>: one.
 */
final class Session {

  private static final int ROUNDS_BEFORE = 2;

  private final Settings settings;
  private final Seat seat;
  private final Report report;
  private final PrintWriter err;
  private final Pace pace;
  private final Stopwatch stopwatch;
  private long errors;

  /**
   * @param err where this rank says what it found wrong
   */
  Session(Settings settings, Seat seat, Report report, PrintWriter err) {
    this.settings = settings;
    this.seat = seat;
    this.report = report;
    this.err = err;
    pace = new Pace(seat.group(), settings.iterations(), settings.warmup());
    stopwatch = new Stopwatch(settings.timeout());
  }

  /**
   * Measures everything.
   *
   * @return wrong elements: at all ranks, as the library adds them up, and at least this rank's own
   */
  long run() throws IOException {
    for (Operation operation : settings.operations()) {
      List<Long> counts = operation.sized() ? counts(operation) : List.of(0L);
      for (int line = 0; line < counts.size(); line++) {
        measure(operation, counts.get(line), line == counts.size() - 1);
      }
    }
    seat.group().barrier(); // nobody leaves while another still has something to send
    report.end();
    return errors;
  }

  private List<Long> counts(Operation operation) {
    return settings.counts().stream()
        .map(wished -> operation.count(wished, seat.size()))
        .distinct()
        .toList();
  }

  private void measure(Operation operation, long count, boolean last) throws IOException {
    long bytes = count * seat.work().type().bytes();
    String what = operation.sized() ? operation.name() + " " + bytes + " B" : operation.name();
    Findings findings = new Findings();
    try (Trial trial = operation.trial(seat, count)) {
      report.phase(what + ", verifying");
      for (int round = 0; round < ROUNDS_BEFORE; round++) {
        trial.verify(round, findings);
      }
      report.phase(what + ", warming up");
      trial.settle();
      int iterations = pace.warmUp(trial);
      report.phase(what + ", timing");
      seat.group().barrier();
      stopwatch.time(trial, iterations, operation.waysPerCall());
      report.phase(what + ", verifying again");
      trial.checkSettled(findings);
      trial.verify(ROUNDS_BEFORE, findings);
      keep(operation, bytes, trial, last);
      judge(what, findings);
      report.row(row(operation, count, trial.algorithm(), iterations, findings.errors()));
    }
  }

  private void judge(String what, Findings findings) {
    findings
        .first()
        .ifPresent(
            first ->
                err.printf(
                    "rank %d: %s: %d wrong; the first: %s%n",
                    seat.rank(), what, findings.errors(), first));
    err.flush();
  }

  private void keep(Operation operation, long bytes, Trial trial, boolean last) throws IOException {
    String rank = "rank-" + seat.rank();
    if (settings.hdr().isPresent()) {
      String name = operation.sized() ? rank + "-" + bytes + ".hlog" : rank + ".hlog";
      stopwatch.log(settings.file(settings.hdr().get(), operation, name), operation.name());
    }
    if (last && settings.dump().isPresent()) {
      trial.dump(settings.file(settings.dump().get(), operation, rank + ".bin"));
    }
  }

  private Row row(Operation operation, long count, String algorithm, int iterations, long own) {
    long[] slowest = stopwatch.nanos();
    long[] medians = new long[seat.size()];
    medians[seat.rank()] = slowest[0];
    long[] wrong = {own};
    seat.group().allreduce(slowest, ReduceOp.MAX);
    seat.group().allreduce(medians, ReduceOp.SUM);
    seat.group().allreduce(wrong, ReduceOp.SUM);
    errors += Math.max(own, wrong[0]);
    long bytes = count * seat.work().type().bytes();
    double algbw = slowest[0] == 0 ? 0 : bytes / (double) slowest[0];
    return new Row(
        operation.name(),
        bytes,
        count,
        operation.sized() ? seat.work().type().name().toLowerCase(Locale.ROOT) : null,
        operation.reduces() ? seat.work().op().name() : null,
        operation.rooted() ? seat.work().root() : null,
        algorithm.isEmpty() ? null : algorithm,
        micros(slowest[0]),
        micros(slowest[1]),
        micros(slowest[2]),
        algbw,
        algbw * operation.busFactor(seat.size()),
        wrong[0],
        iterations,
        pace.warmup(),
        new ArrayList<>(Arrays.stream(medians).mapToObj(Session::micros).toList()));
  }

  private static double micros(long nanos) {
    return nanos / 1e3;
  }
}
