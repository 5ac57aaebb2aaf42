package io.jgloo.bench.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A document as an HTML page that needs no other file, light or dark as the reader's system is.
 *
 * <p>A table that is wider than the screen scrolls by itself, so that the page does not.
 */
final class Page {
  private static final String STYLE =
      """
      :root{color-scheme:light dark;--paper:#fff;--ink:#1a1a1a;--faint:#595959;--rule:#d0d0d0;
      --stripe:#f5f5f5;--link:#0055aa;--alarm:#8a1c00;--alarm-paper:#fff0e6}
      @media (prefers-color-scheme:dark){:root{--paper:#16181c;--ink:#e4e4e4;--faint:#a8a8a8;
      --rule:#454a52;--stripe:#1f2228;--link:#7db7ff;--alarm:#ffb38a;--alarm-paper:#3a2013}}
      body{font:15px/1.45 sans-serif;max-width:1200px;margin:1.5em auto;padding:0 1em;
      color:var(--ink);background:var(--paper)}
      a{color:var(--link)}
      nav ul{columns:20em;padding-left:1.2em}
      p{max-width:70em;overflow-wrap:anywhere}
      .warning{border-left:5px solid var(--alarm);background:var(--alarm-paper);color:var(--alarm);
      padding:.6em 1em;font-weight:bold}
      .scroll{overflow-x:auto}
      table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}
      td,th{border:1px solid var(--rule);padding:3px 8px;text-align:left;vertical-align:top}
      th{background:var(--stripe)}
      .figure{text-align:right;white-space:nowrap}
      figure{display:flex;flex-wrap:wrap;gap:.5em 1.5em;margin:1.5em 0}
      figure>svg{flex:1 1 340px;max-width:860px}
      figcaption{font-size:13px;flex:0 1 18em;padding-top:2.5em}
      .sample{width:28px;height:8px;margin-right:.6em;stroke-width:2}
      svg text{fill:var(--ink)}svg .mark{fill:var(--faint);font:12px sans-serif}
      svg .title{font:bold 15px sans-serif}
      .rule{stroke:var(--rule)}
      @media (max-width:640px){svg .mark{font-size:17px}svg .title{font-size:19px}
      figcaption{columns:10em 2;flex:1 1 100%;padding:0}}
      """;

  private final Document document;
  private final StringBuilder body = new StringBuilder();
  private final List<String> sections = new ArrayList<>();

  private Page(Document document) {
    this.document = document;
  }

  /** The page of a document. */
  static String of(Document document) {
    return new Page(document).text();
  }

  private String text() {
    List<Chart> charts = document.charts().stream().filter(Chart::isWorthDrawing).toList();
    if (!charts.isEmpty()) {
      section("Charts");
      charts.forEach(chart -> body.append(chart.html()));
    }
    for (Sheet sheet : document.sheets()) {
      section(sheet.title());
      paragraph("", sheet.note());
      scroll(sheet.html());
    }
    String sectionsText = body.toString();
    body.setLength(0);
    String title = Sheet.escape(document.title());
    body.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .append("<title>%s</title>\n<style>\n%s".formatted(title, STYLE))
        .append("%s</style></head><body>\n<h1>%s</h1>\n".formatted(Chart.style(), title));
    paragraph(" class=\"warning\" role=\"alert\"", document.warning());
    document.notes().forEach(note -> paragraph("", note));
    contents();
    return body.append(sectionsText).append("</body></html>\n").toString();
  }

  private void section(String title) {
    sections.add(title);
    body.append("<h2 id=\"section-%d\">".formatted(sections.size()))
        .append(Sheet.escape(title))
        .append("</h2>\n");
  }

  private void contents() {
    body.append("<nav aria-label=\"Contents\"><ul>\n");
    for (int i = 0; i < sections.size(); i++) {
      body.append("<li><a href=\"#section-%d\">".formatted(i + 1))
          .append(Sheet.escape(sections.get(i)))
          .append("</a></li>\n");
    }
    body.append("</ul></nav>\n");
  }

  private void paragraph(String attributes, String text) {
    if (!text.isEmpty()) {
      body.append("<p%s>%s</p>%n".formatted(attributes, Sheet.escape(text)));
    }
  }

  private void scroll(String html) {
    body.append("<div class=\"scroll\" tabindex=\"0\">").append(html).append("</div>\n");
  }
}
