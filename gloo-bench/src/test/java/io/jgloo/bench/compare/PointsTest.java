package io.jgloo.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jgloo.bench.compare.Peer.Timing;
import io.jgloo.bench.compare.Rounds.Sample;
import io.jgloo.bench.report.Comparison.Point;
import io.jgloo.bench.report.Figures.Statistic;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** From the times of rounds to ratios. */
@Timeout(60)
final class PointsTest {

  private final List<Sample> samples = new ArrayList<>();

  private void add(String series, int round, long bytes, double p50Us) {
    Timing timing = new Timing(series, bytes, p50Us, 4 * p50Us);
    samples.add(new Sample("allreduce", 2, round, timing));
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
    Statistic ratio = Points.of(samples).get(1).ratio();
    assertEquals(0.15, ratio.median(), 1e-9);
    assertEquals(0.10, ratio.least(), 1e-9);
    assertEquals(0.20, ratio.most(), 1e-9);
  }

  @Test
  void seriesInMemory_isComparedWithOursInMemory() {
    add(Series.OURS, 0, 4, 10);
    add(Series.SHARED, 0, 4, 1);
    add(Series.MPICH_SHM, 0, 4, 2);
    add(Series.HEAP, 0, 4, 20);
    List<Point> points = Points.of(samples);
    assertNull(points.get(1).ratio());
    assertEquals(0.5, points.get(2).ratio().median(), 1e-9);
    assertEquals(0.5, points.get(3).ratio().median(), 1e-9);
  }

  @Test
  void seriesWithoutOurs_hasNoRatio() {
    add(Series.GLOO, 0, 4, 10);
    assertNull(Points.of(samples).get(0).ratio());
  }

  @Test
  void bandwidthAndRatioOfAPoint() {
    add(Series.OURS, 0, 1 << 20, 1000);
    add(Series.GLOO, 0, 1 << 20, 4000);
    Point gloo = Points.of(samples).get(1);
    assertEquals((1 << 20) / 4e6, gloo.busbw(), 1e-9); // 2(n-1)/n is 1
    assertEquals(0.25, gloo.ratio().median(), 1e-9);
    assertNull(Points.of(samples).get(0).ratio());
  }

  @Test
  void linesOfDriversAreParsed() {
    List<String> lines =
        List.of("noise", "pingpong 4 100 3.5 4.5 9.25", "exchange 4 50 5.0 6.0 7.0");
    assertEquals(List.of(new Timing("x", 4, 3.5, 4.5)), Timing.parse("x", "pingpong", lines));
  }
}
