package io.jgloo.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jgloo.bench.report.Run.Header;
import io.jgloo.bench.report.Run.Row;
import io.jgloo.bench.report.Run.Use;
import java.io.UncheckedIOException;

/**
 * One step of a run as it is reported: by a rank to the process that started it, in a line of JSON,
 * and there to whatever shows it. Exactly one of these is present, but for the last two:
 *
 * @param header rank 0: what is about to run
 * @param phase rank 0: what it does now
 * @param row rank 0: a line is complete
 * @param end rank 0: all lines are complete, and what that took
 * @param exitCode every rank, last: the code it is about to end with
 * @param consequence whether it ends because another rank failed
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Event(
    Header header, String phase, Row row, Use end, Integer exitCode, Boolean consequence) {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The first event. */
  public static Event begin(Header header) {
    return new Event(header, null, null, null, null, null);
  }

  /** What goes on now. */
  public static Event phase(String phase) {
    return new Event(null, phase, null, null, null, null);
  }

  /** A complete line. */
  public static Event row(Row row) {
    return new Event(null, null, row, null, null, null);
  }

  /** All lines are complete. */
  public static Event finished(Use use) {
    return new Event(null, null, null, use, null, null);
  }

  /** The last event of a rank. */
  public static Event exit(int code, boolean consequence) {
    return new Event(null, null, null, null, code, consequence);
  }

  /** The line of JSON, without its end. */
  public String encode() {
    try {
      return MAPPER.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads a line.
   *
   * @throws UncheckedIOException if it is no event
   */
  public static Event decode(String line) {
    try {
      return MAPPER.readValue(line, Event.class);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
