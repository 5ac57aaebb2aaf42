package io.jgloo.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A table of words and figures, written as text, CSV, Markdown and HTML alike.
 *
 * @param note what a reader must know to understand the figures; may be empty
 */
public record Sheet(String title, String note, List<String> columns, List<List<String>> rows) {
  private static final int LINE_CHARACTERS = 100;
  private static final Pattern FIGURE = Pattern.compile("^([<>]= )?[-+]?[0-9]");
  private static final Set<String> MISSING = Set.of("", "-");

  /** A row for {@link #of}: keys and values by turns. */
  public static Map<String, Object> row(Object... keysAndValues) {
    Map<String, Object> row = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      row.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return row;
  }

  /** The table of rows whose keys are the columns: {@code p50Us} becomes {@code p50 us}. */
  static Sheet of(String title, String note, List<Map<String, Object>> rows) {
    List<String> columns =
        rows.isEmpty() ? List.of() : rows.get(0).keySet().stream().map(Sheet::words).toList();
    List<List<String>> cells = new ArrayList<>();
    for (Map<String, Object> row : rows) {
      cells.add(row.entrySet().stream().map(Sheet::cell).toList());
    }
    return new Sheet(title, note, columns, cells);
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

  /** Columns aligned with blanks. */
  String text() {
    StringBuilder text = new StringBuilder(title).append('\n');
    if (!note.isEmpty()) {
      text.append(wrap(note));
    }
    int[] widths = new int[columns.size()];
    measure(columns, widths);
    rows.forEach(row -> measure(row, widths));
    append(text, columns, widths);
    rows.forEach(row -> append(text, row, widths));
    return text.toString();
  }

  private static void measure(List<String> row, int[] widths) {
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], row.get(i).length());
    }
  }

  private static void append(StringBuilder text, List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      line.append("  ").append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length()));
    }
    text.append(line.toString().stripTrailing()).append('\n');
  }

  /** A text in lines of at most 100 characters, each with its end. */
  static String wrap(String text) {
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

  /** Comma-separated values (RFC 4180), without title and note. */
  String csv() {
    StringBuilder text = new StringBuilder();
    appendCsv(text, columns);
    rows.forEach(row -> appendCsv(text, row));
    return text.toString();
  }

  private static void appendCsv(StringBuilder text, List<String> row) {
    text.append(String.join(",", row.stream().map(Sheet::quote).toList())).append("\r\n");
  }

  private static String quote(String cell) {
    return cell.matches("[^,\"\r\n]*") ? cell : "\"" + cell.replace("\"", "\"\"") + "\"";
  }

  /** A Markdown table, without title and note. */
  String markdown() {
    StringBuilder text = new StringBuilder();
    text.append("| ").append(String.join(" | ", columns)).append(" |\n");
    text.append("|---".repeat(columns.size())).append("|\n");
    rows.forEach(row -> text.append("| ").append(String.join(" | ", row)).append(" |\n"));
    return text.toString();
  }

  /** An HTML table, without title and note; figures are aligned at the right. */
  String html() {
    StringBuilder text = new StringBuilder("<table>");
    if (!columns.stream().allMatch(String::isEmpty)) {
      appendHtml(text, columns, "th");
    }
    rows.forEach(row -> appendHtml(text, row, "td"));
    return text.append("</table>").toString();
  }

  private void appendHtml(StringBuilder text, List<String> row, String tag) {
    text.append("<tr>");
    for (int i = 0; i < row.size(); i++) {
      String style = hasFigures(i) ? " class=\"figure\"" : "";
      text.append("<%s%s>%s</%s>".formatted(tag, style, escape(row.get(i)), tag));
    }
    text.append("</tr>\n");
  }

  /** Whether all cells of a column are figures, or missing, and at least one is there. */
  private boolean hasFigures(int column) {
    List<String> cells = rows.stream().map(row -> row.get(column)).toList();
    return cells.stream().allMatch(cell -> MISSING.contains(cell) || FIGURE.matcher(cell).find())
        && cells.stream().anyMatch(cell -> !MISSING.contains(cell));
  }

  /** Text as HTML and SVG must have it. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
