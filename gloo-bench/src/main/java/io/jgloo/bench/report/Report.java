package io.jgloo.bench.report;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Facts and tables that a command has found, under the keys that they have in JSON. */
public final class Report implements Document {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Machine machine;
  private final Map<String, Object> content = new LinkedHashMap<>();
  private final List<Sheet> sheets = new ArrayList<>();

  public Report(Machine machine) {
    this.machine = machine;
    content.put("machine", machine);
  }

  /** Adds what JSON alone has. */
  public Report fact(String key, Object value) {
    content.put(key, value);
    return this;
  }

  /**
   * Adds a table.
   *
   * @param note what a reader must know to understand the figures; may be empty
   * @param rows records, or maps, whose keys become columns: {@code p50Us} becomes {@code p50 us}
   */
  public Report table(String key, String title, String note, List<?> rows) {
    List<Map<String, Object>> cells = new ArrayList<>();
    for (Object row : rows) {
      cells.add(MAPPER.convertValue(row, new TypeReference<LinkedHashMap<String, Object>>() {}));
    }
    content.put(key, cells);
    List<String> columns =
        cells.isEmpty() ? List.of() : cells.get(0).keySet().stream().map(Report::words).toList();
    List<List<String>> texts = new ArrayList<>();
    cells.forEach(row -> texts.add(row.entrySet().stream().map(Report::cell).toList()));
    sheets.add(new Sheet(title, note, columns, texts));
    return this;
  }

  private static String words(String key) {
    return key.equals("bytes")
        ? "size"
        : key.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT).trim();
  }

  private static String cell(Map.Entry<String, Object> entry) {
    if (entry.getKey().equals("bytes")) {
      return Figures.bytes(((Number) entry.getValue()).longValue());
    }
    return entry.getValue() instanceof Double figure
        ? Figures.figure(figure)
        : entry.getValue().toString();
  }

  /** Returns all of it under its keys. */
  @JsonValue
  public Map<String, Object> content() {
    return content;
  }

  @Override
  public String text() {
    return sheets.stream()
        .map(Sheet::text)
        .collect(Collectors.joining("\n", machine.note() + "\n", ""));
  }

  /** Returns all tables, with an empty line between two. */
  @Override
  public String csv() {
    return sheets.stream().map(Sheet::csv).collect(Collectors.joining("\r\n"));
  }
}
