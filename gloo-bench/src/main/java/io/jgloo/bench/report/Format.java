package io.jgloo.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.jgloo.bench.report.Run.LiveTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The forms in which a document is written. */
public enum Format {
  /** Text for people. */
  TABLE,

  /** The document itself. */
  JSON,

  /** Comma-separated values (RFC 4180), a line per measurement. */
  CSV;

  /** Description of the option that chooses one. */
  public static final String OPTION = "table (default), json or csv";

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Returns the document in this form. */
  public String render(Document document) {
    return switch (this) {
      case TABLE -> document.text();
      case JSON -> json(document);
      case CSV -> document.csv();
    };
  }

  private static String json(Object document) {
    try {
      return MAPPER.writeValueAsString(document) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a document in this form to a file, or to {@code out} if the file is null. */
  public void write(Document document, Path file, PrintWriter out) throws IOException {
    if (file == null) {
      out.print(render(document));
    } else {
      Files.writeString(file, render(document));
    }
  }

  /**
   * Writes a run as it goes on: a table line by line, all else at the end.
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
        Run run = Run.of(events);
        out.print(this == JSON ? json(run) : run.csv());
        out.flush();
      }
    };
  }
}
