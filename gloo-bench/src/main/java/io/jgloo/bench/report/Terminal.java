package io.jgloo.bench.report;

import java.io.PrintWriter;

/**
 * A line on a terminal that says what is going on, and gives way to the report's own lines.
 *
 * <p>For people only: it is not to be had where standard error is no terminal, which the launch
 * script knows ({@link #PROPERTY}) and Java does not.
 */
public final class Terminal implements Report {

  /** System property: {@code true} if standard error is a terminal. */
  public static final String PROPERTY = "io.jgloo.bench.terminal";

  private static final String CLEAR = "\r\u001b[K";

  private final Report report;
  private final PrintWriter terminal;

  private Terminal(Report report, PrintWriter terminal) {
    this.report = report;
    this.terminal = terminal;
  }

  /** The report, with a progress line if there is a terminal to show it on. */
  public static Report with(Report report, PrintWriter terminal) {
    return Boolean.getBoolean(PROPERTY) ? new Terminal(report, terminal) : report;
  }

  @Override
  public void begin(Header header) {
    clear();
    report.begin(header);
  }

  @Override
  public void phase(String what) {
    terminal.print(CLEAR + what + " ...");
    terminal.flush();
    report.phase(what);
  }

  @Override
  public void row(Row row) {
    clear();
    report.row(row);
  }

  @Override
  public void end() {
    clear();
    report.end();
  }

  private void clear() {
    terminal.print(CLEAR);
    terminal.flush();
  }
}
