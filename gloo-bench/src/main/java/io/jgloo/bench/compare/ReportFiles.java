package io.jgloo.bench.compare;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes results as a table, as JSON, as a page, and the targets as Markdown. */
record ReportFiles(Results results, Path folder) {

  private static final String STYLE =
      """
      body{font:15px/1.4 sans-serif;max-width:1200px;margin:2em auto;padding:0 1em}
      table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}
      td,th{border:1px solid #ccc;padding:2px 7px;text-align:left}
      svg{width:100%;max-width:760px;display:block;margin:1em 0}
      .title{font:bold 15px sans-serif}.mark{font:11px sans-serif}
      """;

  private static final String BEGIN = "<!-- targets: written by gloo-bench/compare -->";
  private static final String END = "<!-- end of targets -->";

  /** All files, in a folder that is made if need be. */
  void write() throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("report.txt"), text());
    Files.writeString(folder.resolve("report.json"), json());
    Files.writeString(folder.resolve("report.html"), html());
    Files.writeString(folder.resolve("targets.md"), fragment());
  }

  String text() {
    return new Sheets(results).all().stream().map(Sheet::text).collect(Collectors.joining("\n"));
  }

  private String json() throws IOException {
    return new ObjectMapper()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .writeValueAsString(results);
  }

  private String html() {
    StringBuilder page = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\"><head>");
    page.append("<meta charset=\"utf-8\"><title>JGloo beside others</title>");
    page.append("<style>\n").append(STYLE).append("</style></head><body>\n");
    page.append("<h1>JGloo beside others</h1>\n");
    Charts.of(results).forEach(chart -> page.append(chart.svg()));
    new Sheets(results).all().forEach(sheet -> page.append(sheet.html()));
    return page.append("</body></html>\n").toString();
  }

  /** The table of targets with what a reader must know of it. */
  String fragment() {
    Machine machine = results.machine();
    String where =
        String.format(
            Locale.ROOT,
            "%s, %d rounds on %s, %d cores, %s; congestion control: ours and the limit's %s, the"
                + " others' %s; hand-off between cores %s us. Medians over the rounds in"
                + " microseconds. The figure is ours by theirs, round by round, with the least and"
                + " the greatest, unless the target says otherwise.%n%n",
            machine.date(),
            results.rounds(),
            machine.processor(),
            machine.cores(),
            machine.system(),
            machine.ownCongestion(),
            machine.congestion(),
            Words.figure(machine.handoffUs()));
    String warning = results.quick() ? Sheets.QUICK + "%n%n".formatted() : "";
    return warning + where + new Sheets(results).targets().markdown();
  }

  /**
   * Puts the targets between the two marks of a document.
   *
   * @throws IOException if the marks are not there
   */
  void update(Path document) throws IOException {
    String text = Files.readString(document);
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IOException(document + " has no lines '" + BEGIN + "' and '" + END + "'");
    }
    String before = text.substring(0, begin + BEGIN.length());
    Files.writeString(document, before + "\n\n" + fragment() + "\n" + text.substring(end));
  }
}
