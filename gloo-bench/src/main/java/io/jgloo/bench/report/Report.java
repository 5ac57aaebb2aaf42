package io.jgloo.bench.report;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Facts and tables that a command has found, under the keys that they have in JSON. */
public final class Report {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int LINE_CHARACTERS = 100;

  private final Map<String, Object> content = new LinkedHashMap<>();
  private final List<String> texts = new ArrayList<>();

  public Report(Machine machine) {
    content.put("machine", machine);
    texts.add(machine.note() + "\n");
  }

  /** Adds what JSON alone has. */
  public Report fact(String key, Object value) {
    content.put(key, value);
    return this;
  }

  /** Adds a paragraph that the text alone has. */
  public Report note(String text) {
    texts.add(wrap(text));
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
    List<List<String>> lines = new ArrayList<>();
    cells.forEach(row -> lines.add(row.entrySet().stream().map(Report::cell).toList()));
    return sheet(title, note, columns, lines);
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

  /** Adds a table of words, aligned with blanks, that the text alone has. */
  public Report sheet(String title, String note, List<String> columns, List<List<String>> rows) {
    StringBuilder text = new StringBuilder(title).append('\n');
    if (!note.isEmpty()) {
      text.append(wrap(note));
    }
    List<List<String>> lines = new ArrayList<>(rows);
    lines.add(0, columns);
    int[] widths = new int[columns.size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    for (List<String> line : lines) {
      StringBuilder padded = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        padded
            .append("  ")
            .append(line.get(i))
            .append(" ".repeat(widths[i] - line.get(i).length()));
      }
      text.append(padded.toString().stripTrailing()).append('\n');
    }
    texts.add(text.toString());
    return this;
  }

  /** Returns a text in lines of at most 100 characters, each with its end. */
  private static String wrap(String text) {
    StringBuilder lines = new StringBuilder();
    int length = 0;
    for (String word : text.split(" ", -1)) {
      if (length > 0 && length + 1 + word.length() > LINE_CHARACTERS) {
        lines.append('\n');
        length = 0;
      }
      lines.append(length > 0 ? " " : "").append(word);
      length += word.length() + (length > 0 ? 1 : 0);
    }
    return lines.append('\n').toString();
  }

  /** Returns all of it under its keys. */
  @JsonValue
  public Map<String, Object> content() {
    return content;
  }

  /** Returns notes and tables as text for people. */
  public String text() {
    return texts.get(0) + String.join("\n", texts.subList(1, texts.size()));
  }
}
