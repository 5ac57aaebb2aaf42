package io.jgloo.bench.report;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** The table of a run for people, in the columns of nccl-tests, printed line by line. */
final class LiveTable implements Consumer<Event> {
  private final PrintWriter out;
  private String operation = "";

  LiveTable(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void accept(Event event) {
    if (event.header() != null) {
      event.header().lines().forEach(line -> out.println("# " + line));
    } else if (event.row() != null) {
      row(event.row());
    } else if (event.end() != null) {
      out.println("#\n# " + event.end().line());
    }
    out.flush();
  }

  private void row(Row row) {
    if (!row.operation().equals(operation)) {
      operation = row.operation();
      out.println("#\n# " + row.title());
      out.println("#" + line(Row.COLUMNS).substring(1));
    }
    out.println(line(row.cells()));
  }

  private static String line(List<String> cells) {
    return String.format(
        Locale.ROOT, "%12s %12s %9s %8s %18s %11s %11s %11s %8s %8s %7s", cells.toArray());
  }
}
