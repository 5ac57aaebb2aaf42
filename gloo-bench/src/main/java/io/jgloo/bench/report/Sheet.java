package io.jgloo.bench.report;

import java.util.List;

/**
 * A table of words and figures.
 *
 * @param note what a reader must know to understand the figures; may be empty
 */
record Sheet(String title, String note, List<String> columns, List<List<String>> rows) {
  private static final int LINE_CHARACTERS = 100;

  /** Returns title, note and columns aligned with blanks. */
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

  /** Returns a text in lines of at most 100 characters, each with its end. */
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

  /** Returns comma-separated values, without title and note. */
  String csv() {
    StringBuilder text = new StringBuilder(line(columns));
    rows.forEach(row -> text.append(line(row)));
    return text.toString();
  }

  private static String line(List<String> row) {
    return String.join(",", row.stream().map(Sheet::quote).toList()) + "\r\n";
  }

  static String quote(String cell) {
    return cell.matches("[^,\"\r\n]*") ? cell : "\"" + cell.replace("\"", "\"\"") + "\"";
  }
}
