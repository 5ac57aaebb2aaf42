package io.jgloo.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** One JSON document, written when everything has been measured. */
final class JsonReport implements Report {

  private final ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private final PrintWriter out;
  private final List<Row> rows = new ArrayList<>();
  private Header header;

  JsonReport(PrintWriter out) {
    this.out = out;
  }

  /**
   * The document.
   *
   * @param errors of all rows
   */
  record Document(Header header, List<Row> rows, long errors) {}

  @Override
  public void begin(Header header) {
    this.header = header;
  }

  @Override
  public void row(Row row) {
    rows.add(row);
  }

  @Override
  public void end() {
    long errors = rows.stream().mapToLong(Row::errors).sum();
    try {
      out.println(mapper.writeValueAsString(new Document(header, rows, errors)));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
    out.flush();
  }
}
