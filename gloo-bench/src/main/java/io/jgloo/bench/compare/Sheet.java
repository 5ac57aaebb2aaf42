package io.jgloo.bench.compare;

import java.util.List;

/**
 * One table of the report, in words: written as text, Markdown and HTML alike.
 *
 * @param note what a reader must know to understand the figures; may be empty
 */
record Sheet(String title, String note, List<String> columns, List<List<String>> rows) {

  /** Columns set out with blanks. */
  String text() {
    StringBuilder text = new StringBuilder(title).append('\n');
    if (!note.isEmpty()) {
      text.append(note).append('\n');
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

  /** A Markdown table, without title and note. */
  String markdown() {
    StringBuilder text = new StringBuilder();
    text.append("| ").append(String.join(" | ", columns)).append(" |\n");
    text.append("|---".repeat(columns.size())).append("|\n");
    rows.forEach(row -> text.append("| ").append(String.join(" | ", row)).append(" |\n"));
    return text.toString();
  }

  String html() {
    StringBuilder text = new StringBuilder();
    text.append("<h2>").append(escape(title)).append("</h2>\n");
    if (!note.isEmpty()) {
      text.append("<p>").append(escape(note)).append("</p>\n");
    }
    text.append("<table><tr>");
    columns.forEach(cell -> text.append("<th>").append(escape(cell)).append("</th>"));
    text.append("</tr>\n");
    for (List<String> row : rows) {
      text.append("<tr>");
      row.forEach(cell -> text.append("<td>").append(escape(cell)).append("</td>"));
      text.append("</tr>\n");
    }
    return text.append("</table>\n").toString();
  }

  /** Text as HTML and SVG must have it. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
