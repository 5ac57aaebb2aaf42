package io.jgloo.bench.report;

import java.io.PrintStream;

/** Tells everything to the process that started this one, in {@link Event}s. */
public record Relay(PrintStream out) implements Report {

  @Override
  public void begin(Header header) {
    send(new Event(header, null, null, null, null, null));
  }

  @Override
  public void phase(String what) {
    send(new Event(null, what, null, null, null, null));
  }

  @Override
  public void row(Row row) {
    send(new Event(null, null, row, null, null, null));
  }

  @Override
  public void end() {
    send(new Event(null, null, null, true, null, null));
  }

  private void send(Event event) {
    out.println(event.encode());
    out.flush();
  }
}
