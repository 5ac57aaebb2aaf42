package io.jgloo.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.bench.compare.Peer.Timing;
import io.jgloo.bench.compare.Rounds.Sample;
import io.jgloo.bench.report.Comparison.Point;
import io.jgloo.bench.report.Statistic;
import io.jgloo.bench.report.Target;
import io.jgloo.bench.report.Target.Series;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** From the times of rounds to ratios and target results. */
@Timeout(60)
final class PointsTest {

  private final List<Sample> samples = new ArrayList<>();

  private void add(String series, int round, long bytes, double p50Us) {
    Timing timing = new Timing(series, bytes, p50Us, 4 * p50Us);
    samples.add(new Sample("allreduce", 2, round, timing));
  }

  private static Target target(Target.Kind kind, double limit) {
    return new Target(kind, "allreduce", 2, List.of(4L), Series.OURS, Series.GLOO, limit);
  }

  private Target.Result result(Target.Kind kind, double limit) {
    return new Points(samples).result(target(kind, limit), 4);
  }

  @Test
  void medianOfSeveralRounds() {
    assertEquals(new Statistic(3, 1, 9), Statistic.of(List.of(9.0, 1.0, 3.0)));
    assertEquals(new Statistic(2, 1, 3), Statistic.of(List.of(3.0, 1.0)));
    assertThrows(IllegalArgumentException.class, () -> Statistic.of(List.of()));
  }

  /** A slow minute slows both: the ratio of a round says more than that of two medians. */
  @Test
  void ratiosAreTakenRoundByRound() {
    add(Series.OURS, 0, 4, 10);
    add(Series.GLOO, 0, 4, 100);
    add(Series.OURS, 1, 4, 40);
    add(Series.GLOO, 1, 4, 200);
    add(Series.OURS, 2, 4, 5); // theirs failed
    Target.Result result = result(Target.Kind.RATIO, 0.16);
    assertEquals(0.15, result.figure().median(), 1e-9);
    assertEquals(0.10, result.figure().least(), 1e-9);
    assertEquals(0.20, result.figure().most(), 1e-9);
    assertTrue(result.met());
    assertEquals(10, result.oursUs());
    assertEquals(150, result.theirsUs());
  }

  @Test
  void sharesExtrasAndTails() {
    add(Series.OURS, 0, 4, 10);
    add(Series.GLOO, 0, 4, 8);
    assertEquals(0.8, result(Target.Kind.SHARE, 0.85).figure().median(), 1e-9);
    assertEquals(false, result(Target.Kind.SHARE, 0.85).met());
    assertEquals(true, result(Target.Kind.SHARE, 0.75).met());
    assertEquals(2, result(Target.Kind.EXTRA, 1).figure().median(), 1e-9);
    assertEquals(false, result(Target.Kind.EXTRA, 1).met());
    assertEquals(4, result(Target.Kind.TAIL, 3).figure().median(), 1e-9);
  }

  @Test
  void missingMeasurement_targetIsNeitherMetNorMissed() {
    add(Series.OURS, 0, 4, 10);
    Target.Result result = result(Target.Kind.RATIO, 1);
    assertNull(result.met());
    assertEquals(
        List.of("allreduce 4 B", Series.GLOO, "10.0", "-", "-", "<= 1.00", "not measured"),
        result.cells());
  }

  @Test
  void bandwidthAndRatioOfAPoint() {
    add(Series.OURS, 0, 1 << 20, 1000);
    add(Series.GLOO, 0, 1 << 20, 4000);
    Point gloo = new Points(samples).all().get(1);
    assertEquals((1 << 20) / 4e6, gloo.busbw(), 1e-9); // 2(n-1)/n is 1
    assertEquals(0.25, gloo.ratio().median(), 1e-9);
    assertNull(new Points(samples).all().get(0).ratio());
  }

  @Test
  void linesOfDriversAreParsed() {
    List<String> lines =
        List.of("noise", "pingpong 4 100 3.5 4.5 9.25", "exchange 4 50 5.0 6.0 7.0");
    assertEquals(List.of(new Timing("x", 4, 3.5, 4.5)), Timing.parse("x", "pingpong", lines));
  }

  @Test
  void summaryOfStraceIsParsed() {
    List<String> summary =
        List.of(
            "% time     seconds  usecs/call     calls    errors syscall",
            "------ ----------- ----------- --------- --------- ----------------",
            " 60.00    0.100000           2       500       120 recvfrom",
            " 40.00    0.050000           2       300           sendto",
            "------ ----------- ----------- --------- --------- ----------------",
            "100.00    0.150000           2       800       120 total");
    assertEquals(
        "{recvfrom=Count[calls=500, errors=120], sendto=Count[calls=300, errors=0]}",
        SystemCalls.parse(summary).toString());
  }
}
