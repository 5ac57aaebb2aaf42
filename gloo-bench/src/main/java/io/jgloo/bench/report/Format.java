package io.jgloo.bench.report;

import java.io.PrintWriter;

/** What a report looks like. */
public enum Format {
  /** For people. */
  TABLE,
  /** One document. */
  JSON,
  /** One line per row. */
  CSV;

  /** A report of this format; the writer stays its owner's. */
  public Report to(PrintWriter out) {
    return switch (this) {
      case TABLE -> new TableReport(out);
      case JSON -> new JsonReport(out);
      case CSV -> new CsvReport(out);
    };
  }
}
