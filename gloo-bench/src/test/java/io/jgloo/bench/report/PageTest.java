package io.jgloo.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.bench.report.Comparison.Point;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.xml.sax.InputSource;

/**
 * A page is readable on a phone, in the dark and offline, and warns of figures that mean little.
 */
@Timeout(30)
final class PageTest {

  private static final Machine MACHINE =
      new Machine("CPU <1>", 2, "Linux 6", "JVM 17", "cubic", "bbr", "0.1", 0.07, "2026-11-20");

  private static Point point(String series, long bytes, double micros, Statistic ratio) {
    return new Point(
        "allreduce", 2, series, bytes, statistic(micros), statistic(2 * micros), ratio, 1e-5, 3);
  }

  private static Statistic statistic(double median) {
    return new Statistic(median, median / 2, median * 2);
  }

  private static Comparison comparison(boolean quick) {
    List<Point> points =
        Stream.of(4L, 64L, 1024L, 4096L, 65_536L, 1L << 20, 16L << 20, 64L << 20)
            .flatMap(
                bytes ->
                    Stream.of(
                        point("JGloo", bytes, 5, null), point("a & b", bytes, 10, statistic(0.5))))
            .toList();
    return new Comparison(
        MACHINE, 3, quick, Map.of("JGloo", "a JVM per rank"), List.of(), List.of(), points);
  }

  private static String page(boolean quick) {
    return Format.HTML.render(comparison(quick));
  }

  private static List<MatchResult> matches(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().toList();
  }

  private static Set<String> groups(String pattern, String text) {
    return matches(pattern, text).stream()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void quickRun_hasAWarningAboveAllFigures() {
    String page = page(true);
    int warning = page.indexOf("<p class=\"warning\" role=\"alert\">A quick run");
    assertTrue(warning > 0, page);
    assertTrue(warning < page.indexOf("<nav"), "the warning is not at the top");
    assertFalse(page(false).contains("class=\"warning\""));
    assertTrue(comparison(true).text().startsWith("A quick run"));
    assertTrue(comparison(false).text().startsWith("Machine"));
  }

  @Test
  void page_needsNoOtherFile() {
    String page = page(false);
    assertEquals(List.of(), matches("https?:|src=|@import|url\\(|<link|<script", page));
    for (String target : groups("href=\"([^\"]*)\"", page)) {
      assertTrue(target.startsWith("#"), target);
    }
  }

  @Test
  void contents_nameEverySectionOnce() {
    String page = page(false);
    Set<String> sections = groups("<h2 id=\"([^\"]*)\"", page);
    assertEquals(matches("<h2", page).size(), sections.size(), "sections share an id");
    String contents = page.substring(page.indexOf("<nav"), page.indexOf("</nav>"));
    assertEquals(sections, groups("href=\"#([^\"]*)\"", contents));
    assertTrue(contents.contains(">Machine</a>") && contents.contains(">Charts</a>"), contents);
    assertEquals(comparison(false).sheets().size() + 1, sections.size());
  }

  @Test
  void page_followsTheScreensWidthAndColours() {
    String page = page(false);
    assertTrue(
        page.contains("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"));
    assertTrue(page.contains("color-scheme:light dark"));
    int dark = page.indexOf("@media (prefers-color-scheme:dark)");
    assertTrue(dark > 0, "no dark colours");
    for (String variable : groups("var\\((--[a-z-]+)\\)", page)) {
      assertEquals(2, matches(variable + ":#", page).size(), variable + " is not light and dark");
    }
    String body = page.substring(page.indexOf("<body>"));
    assertEquals(List.of(), matches("#[0-9a-f]{3,6}\"", body), "colours outside the style");
    for (String line : groups("class=\"(line\\d+)\"", body)) {
      assertEquals(2, matches("\\." + line + "\\{", page).size(), line + " is not light and dark");
    }
    assertEquals(
        matches("<table>", page).size(),
        matches("<div class=\"scroll\" tabindex=\"0\"><table>", page).size(),
        "a wide table makes the page wide");
  }

  @Test
  void figuresAreAlignedAtTheRight_wordsAtTheLeft() {
    String page = page(false);
    assertTrue(page.contains("<th class=\"figure\">JGloo</th>"), page);
    assertTrue(page.contains("<td class=\"figure\">5.00 (2.50 - 10.0)</td>"), page);
    assertTrue(page.contains("<td class=\"figure\">64 MiB</td>"), page);
    assertTrue(page.contains("<td>CPU &lt;1&gt;, 2 cores</td>"), page);
    assertTrue(page.contains("<td>0.1</td>"), "a column that has words, too, is one of words");
    assertTrue(page.contains(".figure{text-align:right"));
    assertFalse(page.contains("<th></th>"), "a header without words");
  }

  /** Well-formed, titled, with marks that do not overlap: 11 characters of 7 pixels are 77. */
  @Test
  void charts_haveReadableAxes() throws Exception {
    String page = page(false);
    List<MatchResult> charts = matches("(?s)<figure>.*?</figure>", page);
    assertEquals(2, charts.size());
    for (MatchResult chart : charts) {
      DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new InputSource(new StringReader(chart.group())));
      assertTrue(chart.group().contains("aria-label=\"allreduce, 2 ranks: "), chart.group());
      assertTrue(chart.group().contains(">bytes per rank</text>"), chart.group());
      assertTrue(chart.group().contains("</svg>a &amp; b</div>"), chart.group());
      double before = -100;
      for (MatchResult mark :
          matches("x=\"([\\d.]+)\"[^>]*middle\" class=\"mark\">\\d", chart.group())) {
        double at = Double.parseDouble(mark.group(1));
        assertTrue(at - before >= 70, "labels at " + before + " and " + at);
        before = at;
      }
      assertTrue(before > 400, "few labels");
    }
    assertTrue(charts.get(1).group().contains(">1e-5</text>"), charts.get(1).group());
  }
}
