package io.jgloo.bench.report;

/** Two reports of the same. */
public record Both(Report first, Report second) implements Report {

  @Override
  public void begin(Header header) {
    first.begin(header);
    second.begin(header);
  }

  @Override
  public void phase(String what) {
    first.phase(what);
    second.phase(what);
  }

  @Override
  public void row(Row row) {
    first.row(row);
    second.row(row);
  }

  @Override
  public void end() {
    first.end();
    second.end();
  }
}
