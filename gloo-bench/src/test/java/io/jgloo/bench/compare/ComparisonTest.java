package io.jgloo.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.jgloo.bench.compare.Comparison.Point;
import io.jgloo.bench.compare.Peer.Task;
import io.jgloo.bench.compare.Peer.Timing;
import io.jgloo.bench.report.Figures.Statistic;
import io.jgloo.bench.report.Machine;
import io.jgloo.bench.report.Report;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** From the times of rounds to ratios. */
@Timeout(60)
final class ComparisonTest {

  private final Comparison samples = new Comparison();

  private void add(String series, int round, long bytes, double p50Us) {
    Timing timing = new Timing(series, bytes, p50Us, 4 * p50Us);
    samples.add(new Task("allreduce", 2, List.of(bytes), 10), round, timing);
  }

  /** A slow minute slows both: the ratio of a round says more than that of two medians. */
  @Test
  void ratiosAreTakenRoundByRound() {
    add(Peer.OURS, 0, 4, 10);
    add(Peer.GLOO, 0, 4, 100);
    add(Peer.OURS, 1, 4, 40);
    add(Peer.GLOO, 1, 4, 200);
    add(Peer.OURS, 2, 4, 5); // theirs failed
    Statistic ratio = samples.points().get(1).ratio();
    assertEquals(0.15, ratio.median(), 1e-9);
    assertEquals(0.10, ratio.least(), 1e-9);
    assertEquals(0.20, ratio.most(), 1e-9);
  }

  @Test
  void seriesInMemory_isComparedWithOursInMemory() {
    add(Peer.OURS, 0, 4, 10);
    add(Peer.SHARED, 0, 4, 1);
    add(Peer.MPICH_SHM, 0, 4, 2);
    add(Peer.HEAP, 0, 4, 20);
    List<Point> points = samples.points();
    assertNull(points.get(1).ratio());
    assertEquals(0.5, points.get(2).ratio().median(), 1e-9);
    assertEquals(0.5, points.get(3).ratio().median(), 1e-9);
  }

  @Test
  void seriesWithoutOurs_hasNoRatio() {
    add(Peer.GLOO, 0, 4, 10);
    assertNull(samples.points().get(0).ratio());
  }

  @Test
  void bandwidthAndRatioOfAPoint() {
    add(Peer.OURS, 0, 1 << 20, 1000);
    add(Peer.GLOO, 0, 1 << 20, 4000);
    Point gloo = samples.points().get(1);
    assertEquals((1 << 20) / 4e6, gloo.busbw(), 1e-9); // 2(n-1)/n is 1
    assertEquals(0.25, gloo.ratio().median(), 1e-9);
    assertNull(samples.points().get(0).ratio());
  }

  @Test
  void table_hasMediansAndSpreadBesideThePeers() {
    for (double p50Us : new double[] {5, 2.5, 10}) {
      add(Peer.OURS, (int) p50Us, 4, p50Us);
      add(Peer.MPICH_TCP, (int) p50Us, 4, 2 * p50Us);
    }
    add(Peer.MPICH_TCP, 5, 1 << 20, 5);
    Report report = new Report(Machine.now());
    samples.tables(report, 3);
    List<String> lines = report.text().lines().toList();
    int size = lines.indexOf("allreduce, 2 ranks") + 3;
    assertEquals(List.of("size", "JGloo", "MPICH TCP"), cells(lines.get(size)));
    assertEquals(
        List.of("4 B", "5.00 (2.50 - 10.0)", "10.0 (5.00 - 20.0) x0.50"),
        cells(lines.get(size + 1)));
    assertEquals(List.of("1 MiB", "5.00"), cells(lines.get(size + 2)));
  }

  private static List<String> cells(String line) {
    return List.of(line.trim().split("  +", 0));
  }

  @Test
  void linesOfDriversAreParsed() {
    List<String> lines =
        List.of("noise", "pingpong 4 100 3.5 4.5 9.25", "exchange 4 50 5.0 6.0 7.0");
    assertEquals(List.of(new Timing("x", 4, 3.5, 4.5)), Timing.parse("x", "pingpong", lines));
  }
}
