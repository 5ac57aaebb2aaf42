package io.jgloo.bench.report;

import java.util.List;
import java.util.stream.Collectors;

/** What was measured, as it is kept in JSON; everything else is rendered from it. */
public interface Document {

  /** What a page about it is called. */
  String title();

  /** Why its figures must not be relied on; empty if they may be. */
  default String warning() {
    return "";
  }

  /** What must be known of all its figures; may be empty. */
  List<String> notes();

  /** Its tables for people. */
  List<Sheet> sheets();

  /** The whole of it as text for people. */
  default String text() {
    String tables = sheets().stream().map(Sheet::text).collect(Collectors.joining("\n"));
    return warning().isEmpty() ? tables : Sheet.wrap(warning()) + "\n" + tables;
  }

  /** Its figures, one measurement per row, for programs. */
  Sheet flat();

  /** Its charts; empty if its tables show all. */
  default List<Chart> charts() {
    return List.of();
  }
}
