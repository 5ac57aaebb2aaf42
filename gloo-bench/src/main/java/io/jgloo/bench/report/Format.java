package io.jgloo.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.jgloo.bench.report.Run.Event;
import io.jgloo.bench.report.Run.LiveTable;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The forms in which figures are written. */
public enum Format {
  /** Text for people. */
  TABLE,

  /** All of it, as one document. */
  JSON;

  /** Description of the option that chooses one. */
  public static final String OPTION = "table (default) or json";

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Returns the report in this form. */
  public String render(Report report) {
    return this == TABLE ? report.text() : json(report);
  }

  private static String json(Object document) {
    try {
      return MAPPER.writeValueAsString(document) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes a run as it goes on: a table line by line, JSON at the end.
   *
   * @param out stays its owner's
   */
  public Consumer<Event> of(PrintWriter out) {
    if (this == TABLE) {
      return new LiveTable(out);
    }
    List<Event> events = new ArrayList<>();
    return event -> {
      events.add(event);
      if (event.end() != null) {
        out.print(json(Run.of(events)));
        out.flush();
      }
    };
  }
}
