package io.jgloo.bench.report;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The table for people, in the columns of nccl-tests, line by line. */
final class TableReport implements Report {

  private static final String COLUMNS = "%12s %12s %9s %8s %18s %11s %11s %11s %8s %8s %7s%n";

  private final PrintWriter out;
  private String operation = "";

  TableReport(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void begin(Header header) {
    out.printf(
        "# %s: %d ranks, %s; %s memory%n",
        String.join(", ", header.operations()), header.ranks(), header.mode(), header.memory());
    out.printf(
        "# device %s%s%s%n",
        header.device(), options(header.deviceOptions()), congestion(header.congestion()));
    if (!header.routes().isEmpty()) {
      out.printf("# route of rank 0 to %s%n", routes(header.routes()));
    }
    out.printf(
        "# %s, %s, %d cores, %s kernels%n",
        header.jvm(), header.system(), header.cores(), header.kernels());
    out.printf("# times are the slowest rank's; GB/s = 10^9 bytes per second by the median%n");
    out.flush();
  }

  private static String routes(Map<String, Long> routes) {
    return routes.entrySet().stream()
        .map(
            each ->
                each.getValue() + (each.getValue() == 1 ? " rank: " : " ranks: ") + each.getKey())
        .collect(Collectors.joining(", "));
  }

  private static String options(Map<String, String> options) {
    return options.isEmpty() ? "" : " " + options;
  }

  private static String congestion(String congestion) {
    return congestion == null ? "" : ", the system's congestion control is " + congestion;
  }

  @Override
  public void row(Row row) {
    if (!row.operation().equals(operation)) {
      operation = row.operation();
      title(row);
    }
    out.printf(
        COLUMNS,
        row.bytes(),
        row.count(),
        text(row.type()),
        text(row.op()),
        text(row.algorithm()),
        micros(row.p50Us()),
        micros(row.p99Us()),
        micros(row.maxUs()),
        gigabytes(row.algbw()),
        gigabytes(row.busbw()),
        row.errors());
    out.flush();
  }

  private void title(Row row) {
    out.printf("#%n# %s%s%n", operation, row.root() == null ? "" : ", root " + row.root());
    String line =
        String.format(
            Locale.ROOT,
            COLUMNS,
            "size",
            "count",
            "type",
            "op",
            "algorithm",
            "p50 us",
            "p99 us",
            "max us",
            "algbw",
            "busbw",
            "errors");
    out.print("#" + line.substring(1));
  }

  private static String text(String value) {
    return value == null ? "-" : value;
  }

  private static String micros(double value) {
    return String.format(Locale.ROOT, value < 1000 ? "%.2f" : "%.0f", value);
  }

  private static String gigabytes(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }

  @Override
  public void end() {
    out.flush();
  }
}
