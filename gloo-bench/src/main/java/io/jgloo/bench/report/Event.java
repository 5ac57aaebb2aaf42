package io.jgloo.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;

/**
 * What a rank tells the process that started it: a line of JSON with one of these.
 *
 * @param header rank 0: what is about to run
 * @param phase rank 0: what is going on
 * @param row rank 0: a line is complete
 * @param end rank 0: all lines are complete
 * @param exitCode every rank, last: the code it is about to end with
 * @param consequence whether it ends because another rank failed
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Event(
    Header header, String phase, Row row, Boolean end, Integer exitCode, Boolean consequence) {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The last event of a rank. */
  public static Event exit(int code, boolean consequence) {
    return new Event(null, null, null, null, code, consequence);
  }

  /** The line, without its end. */
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

  /** Passes the event on. */
  public void tell(Report report) {
    if (header != null) {
      report.begin(header);
    } else if (phase != null) {
      report.phase(phase);
    } else if (row != null) {
      report.row(row);
    } else if (end != null) {
      report.end();
    }
  }
}
