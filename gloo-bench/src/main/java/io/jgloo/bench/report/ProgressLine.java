package io.jgloo.bench.report;

import java.io.PrintWriter;
import java.util.function.Consumer;

/** A line on a terminal that shows the current phase, and disappears before other lines. */
public record ProgressLine(Consumer<Event> report, PrintWriter terminal)
    implements Consumer<Event> {

  /** System property: {@code true} if standard error is a terminal, which the script knows. */
  public static final String PROPERTY = "io.jgloo.bench.terminal";

  private static final String CLEAR = "\r\u001b[K";

  /** The report, with a progress line if there is a terminal to show it on. */
  public static Consumer<Event> with(Consumer<Event> report, PrintWriter terminal) {
    return Boolean.getBoolean(PROPERTY) ? new ProgressLine(report, terminal) : report;
  }

  @Override
  public void accept(Event event) {
    terminal.print(event.phase() == null ? CLEAR : CLEAR + event.phase() + " ...");
    terminal.flush();
    report.accept(event);
  }
}
