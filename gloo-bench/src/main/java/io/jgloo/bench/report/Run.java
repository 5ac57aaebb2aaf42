package io.jgloo.bench.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What {@code gloo-bench/run} measured.
 *
 * @param errors of all rows
 * @param use of the ranks and their processes; absent in a run that has not ended
 */
public record Run(Header header, List<Row> rows, long errors, Use use) implements Document {
  private static final List<String> FLAT =
      List.of(
          "operation",
          "ranks",
          "size",
          "count",
          "type",
          "op",
          "root",
          "algorithm",
          "p50_us",
          "p99_us",
          "max_us",
          "algbw_gbs",
          "busbw_gbs",
          "errors",
          "iterations");

  /** The document of all events of a run. */
  static Run of(List<Event> events) {
    Header header =
        events.stream().map(Event::header).filter(Objects::nonNull).findFirst().orElse(null);
    List<Row> rows = events.stream().map(Event::row).filter(Objects::nonNull).toList();
    Use use = events.stream().map(Event::end).filter(Objects::nonNull).findFirst().orElse(null);
    return new Run(header, rows, rows.stream().mapToLong(Row::errors).sum(), use);
  }

  @Override
  public String title() {
    return String.join(", ", header.operations()) + ", " + header.ranks() + " ranks";
  }

  @Override
  public List<String> notes() {
    return header.lines();
  }

  @Override
  public List<Sheet> sheets() {
    return byOperation().values().stream()
        .map(
            lines ->
                new Sheet(
                    lines.get(0).title(), "", Row.COLUMNS, lines.stream().map(Row::cells).toList()))
        .toList();
  }

  /** As it is printed while it goes on. */
  @Override
  public String text() {
    StringWriter text = new StringWriter();
    LiveTable table = new LiveTable(new PrintWriter(text));
    table.accept(Event.begin(header));
    rows.forEach(row -> table.accept(Event.row(row)));
    if (use != null) {
      table.accept(Event.finished(use));
    }
    return text.toString();
  }

  private Map<String, List<Row>> byOperation() {
    return rows.stream().collect(groupingBy(Row::operation, LinkedHashMap::new, toList()));
  }

  @Override
  public Sheet flat() {
    return new Sheet("", "", FLAT, rows.stream().map(this::flat).toList());
  }

  private List<String> flat(Row row) {
    return List.of(
        row.operation(),
        "" + header.ranks(),
        "" + row.bytes(),
        "" + row.count(),
        Objects.toString(row.type(), ""),
        Objects.toString(row.op(), ""),
        Objects.toString(row.root(), ""),
        Objects.toString(row.algorithm(), ""),
        Figures.fixed(3, row.p50Us()),
        Figures.fixed(3, row.p99Us()),
        Figures.fixed(3, row.maxUs()),
        Figures.fixed(6, row.algbw()),
        Figures.fixed(6, row.busbw()),
        "" + row.errors(),
        "" + row.iterations());
  }

  @Override
  public List<Chart> charts() {
    List<Chart> charts = new ArrayList<>();
    byOperation()
        .forEach(
            (name, lines) -> {
              Chart times = Chart.bySize(name + ": median time", "us");
              Chart bandwidths = Chart.bySize(name + ": bus bandwidth", "GB/s");
              for (Row row : lines) {
                times.add(name, (double) row.bytes(), row.p50Us());
                bandwidths.add(name, (double) row.bytes(), row.busbw());
              }
              charts.add(times);
              charts.add(bandwidths);
            });
    return charts;
  }
}
