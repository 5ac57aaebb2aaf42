package io.jgloo.bench.compare;

import java.util.ArrayList;
import java.util.List;

/** The charts of a report: latency and bus bandwidth against size, and growth. */
final class Charts {

  private Charts() {}

  static List<Chart> of(Results results) {
    List<Chart> charts = new ArrayList<>();
    for (Sheets.Operation what : new Sheets(results).operations()) {
      String title = what.name() + ", " + what.ranks() + " ranks";
      Chart times = sizes(title + ": median time", "us");
      Chart bandwidths = sizes(title + ": bus bandwidth", "GB/s");
      for (Point point : results.points(what.name(), what.ranks())) {
        times.add(point.series(), (double) point.bytes(), point.p50Us().median());
        bandwidths.add(point.series(), (double) point.bytes(), point.busbw());
      }
      charts.add(times);
      charts.add(bandwidths);
    }
    charts.add(growth(results));
    charts.add(connecting(results));
    charts.add(forecast(results));
    return charts.stream().filter(Chart::isWorthDrawing).toList();
  }

  private static Chart sizes(String title, String unit) {
    return new Chart(title, "bytes per rank", unit, 4, bytes -> Words.bytes((long) bytes));
  }

  private static Chart ranks(String title, String unit) {
    return new Chart(title, "ranks", unit, 2, ranks -> "" + (long) ranks);
  }

  private static Chart growth(Results results) {
    Chart chart = ranks("growth on this machine: median time of an allreduce", "us");
    for (Growth.Line line : results.growth()) {
      String size = Words.bytes(line.bytes());
      chart.add(size + ", " + line.mode(), line.ranks(), line.p50Us());
    }
    for (Growth.Line line : results.growth()) {
      if (line.mode().equals("threads")) {
        chart.add(Words.bytes(line.bytes()) + ", model", line.ranks(), line.foretoldUs());
      }
    }
    return chart;
  }

  private static Chart connecting(Results results) {
    Chart chart = ranks("growth on this machine: time to connect the full mesh", "ms");
    long first = results.growth().stream().mapToLong(Growth.Line::bytes).min().orElse(0);
    for (Growth.Line line : results.growth()) {
      if (line.bytes() == first) {
        chart.add(line.mode(), line.ranks(), line.connectMillis());
      }
    }
    return chart;
  }

  private static Chart forecast(Results results) {
    Chart chart = ranks("the cost model's curve for an allreduce", "us");
    for (Growth.Forecast line : results.forecasts()) {
      chart.add(Words.bytes(line.bytes()), line.ranks(), line.micros());
    }
    return chart;
  }
}
