package io.jgloo.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The report of {@code gloo-bench/run}.
 *
 * @param errors of all rows
 * @param use of the ranks and their processes; absent in a run that has not ended
 */
public record Run(Header header, List<Row> rows, long errors, Use use) {

  /**
   * What the ranks of a run took to connect, and what the greatest of their processes holds at the
   * end.
   *
   * @param readySeconds from the start of the first process until the last rank had connected
   * @param connectSeconds from when the last rank began to connect until the last rank had
   *     connected
   * @param descriptors open files of a process
   * @param threads of a process
   * @param residentKib resident memory of a process, with what it shares with others
   */
  public record Use(
      double readySeconds,
      double connectSeconds,
      long descriptors,
      long threads,
      long residentKib) {

    /** The line below a table. */
    String line() {
      return Figures.text(
          "ready %.2f s after the start, connected in %.2f s; a process holds at most %d"
              + " descriptors, %d threads and %d MiB",
          readySeconds, connectSeconds, descriptors, threads, residentKib >> 10);
    }
  }

  /**
   * What was run, where.
   *
   * @param ranks number of them
   * @param mode what a rank is: a process of this machine, a thread, a process anywhere
   * @param memory what vectors lie in: {@code direct}, {@code heap} or {@code allocated}
   * @param device kind of device
   * @param deviceOptions its attributes, as far as they were given
   * @param routes how the bytes of each pair of the first rank move, and of how many pairs
   * @param congestion the TCP congestion control in use; absent if the device does not send over
   *     TCP
   * @param systemCongestion what the system gives to sockets that do not ask for another
   * @param kernels whose reductions: {@code native}, or {@code java} and why
   * @param jvm name and version
   * @param system name and version of the operating system
   * @param cores that the JVM may use
   * @param started date and time, ISO 8601
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Header(
      List<String> operations,
      int ranks,
      String mode,
      String memory,
      boolean inPlace,
      String device,
      Map<String, String> deviceOptions,
      Map<String, Long> routes,
      String congestion,
      String systemCongestion,
      String kernels,
      String jvm,
      String system,
      int cores,
      String started) {

    /** The lines above a table. */
    List<String> lines() {
      List<String> lines = new ArrayList<>();
      String whole = String.join(", ", operations);
      lines.add("%s: %d ranks, %s; %s memory".formatted(whole, ranks, mode, memory));
      String attributes = deviceOptions.isEmpty() ? "" : " " + deviceOptions;
      lines.add("device " + device + attributes + congestionText());
      if (!routes.isEmpty()) {
        lines.add("route of rank 0 to " + routesText());
      }
      lines.add(jvm + ", " + system + ", " + cores + " cores, " + kernels + " kernels");
      lines.add("times are the slowest rank's; GB/s = 10^9 bytes per second by the median");
      return lines;
    }

    private String routesText() {
      return routes.entrySet().stream()
          .map(
              each ->
                  (each.getValue() == 1 ? "1 rank: " : each.getValue() + " ranks: ")
                      + each.getKey())
          .collect(Collectors.joining(", "));
    }

    private String congestionText() {
      if (congestion == null) {
        return "";
      }
      boolean system = congestion.equals(systemCongestion);
      String other = system ? "" : " (the system's is " + systemCongestion + ")";
      return ", congestion control " + congestion + other;
    }
  }

  /**
   * One line of the table: an operation at one size.
   *
   * <p>A percentile is the slowest rank's: each rank takes the percentile of its own calls, and the
   * greatest of these is reported. So no rank hides that only issues work and runs ahead of the
   * others.
   *
   * @param bytes of a rank's vector; where it is cut into blocks, of all of them
   * @param count elements of it
   * @param type of the elements; absent if there are none
   * @param op how it reduces; absent if it does not
   * @param root absent if there is none
   * @param algorithm the one that did it; absent if there is none to choose
   * @param p50Us median time of a call in microseconds, of the slowest rank
   * @param p99Us 99th percentile, likewise
   * @param maxUs longest call of all
   * @param algbw bytes by median time, in GB/s of 10^9 bytes
   * @param busbw algbw times the operation's factor
   * @param errors wrong elements at all ranks
   * @param iterations calls that were timed, at each rank
   * @param warmup calls before them
   * @param rankP50Us each rank's own median; 0 where a rank does not time
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Row(
      String operation,
      long bytes,
      long count,
      String type,
      String op,
      Integer root,
      String algorithm,
      double p50Us,
      double p99Us,
      double maxUs,
      double algbw,
      double busbw,
      long errors,
      int iterations,
      long warmup,
      List<Double> rankP50Us) {

    /** What the lines of this row's operation have in common. */
    String title() {
      return operation + (root == null ? "" : ", root " + root);
    }

    /** Returns its line of a table for people. */
    String line() {
      return Figures.text(
          "%12d %12d %9s %8s %18s %11s %11s %11s %8.3f %8.3f %7d",
          bytes,
          count,
          dash(type),
          dash(op),
          dash(algorithm),
          micros(p50Us),
          micros(p99Us),
          micros(maxUs),
          algbw,
          busbw,
          errors);
    }

    private static String dash(Object value) {
      return value == null ? "-" : value.toString();
    }

    private static String micros(double value) {
      return Figures.fixed(value < 1000 ? 2 : 0, value);
    }
  }

  /** The columns of nccl-tests. */
  private static final String TITLES =
      "#       size        count      type       op          algorithm      p50 us      p99 us"
          + "      max us    algbw    busbw  errors";

  /** The document of all events of a run. */
  static Run of(List<Event> events) {
    Header header =
        events.stream().map(Event::header).filter(Objects::nonNull).findFirst().orElse(null);
    List<Row> rows = events.stream().map(Event::row).filter(Objects::nonNull).toList();
    Use use = events.stream().map(Event::end).filter(Objects::nonNull).findFirst().orElse(null);
    return new Run(header, rows, rows.stream().mapToLong(Row::errors).sum(), use);
  }

  /**
   * One step of a run as rank 0 reports it; exactly one of these is present.
   *
   * @param header what is about to run
   * @param row a line is complete
   * @param end all lines are complete, and what that took
   */
  public record Event(Header header, Row row, Use end) {}

  /** The table of a run for people, printed line by line. */
  static final class LiveTable implements Consumer<Event> {
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
        out.println(TITLES);
      }
      out.println(row.line());
    }
  }
}
