package io.jgloo.bench.report;

import java.io.PrintWriter;
import java.util.Locale;

/** Comma-separated values (RFC 4180), a header line and one line per row. */
final class CsvReport implements Report {

  private static final String COLUMNS =
      "operation,ranks,size,count,type,op,root,algorithm,p50_us,p99_us,max_us,algbw_gbs,busbw_gbs,"
          + "errors,iterations";

  private final PrintWriter out;
  private int ranks;

  CsvReport(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void begin(Header header) {
    ranks = header.ranks();
    out.print(COLUMNS + "\r\n");
    out.flush();
  }

  @Override
  public void row(Row row) {
    out.printf(
        Locale.ROOT,
        "%s,%d,%d,%d,%s,%s,%s,%s,%.3f,%.3f,%.3f,%.6f,%.6f,%d,%d\r\n",
        row.operation(),
        ranks,
        row.bytes(),
        row.count(),
        text(row.type()),
        text(row.op()),
        row.root() == null ? "" : row.root(),
        text(row.algorithm()),
        row.p50Us(),
        row.p99Us(),
        row.maxUs(),
        row.algbw(),
        row.busbw(),
        row.errors(),
        row.iterations());
    out.flush();
  }

  private static String text(String value) {
    return value == null ? "" : value;
  }

  @Override
  public void end() {
    out.flush();
  }
}
