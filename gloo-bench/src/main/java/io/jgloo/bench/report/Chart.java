package io.jgloo.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;

/**
 * Lines over two logarithmic axes, as SVG with a legend that is beside it or, if narrow, below.
 *
 * <p>A line has a colour, a dash and a marker. Markers stand apart, so that a line of a thousand
 * points is still a line. A band reaches from each point to its upper bound, and a change of
 * algorithm has a tick, with a name where the chart has one line.
 */
public final class Chart {

  private static final int WIDTH = 614;
  private static final int HEIGHT = 420;
  private static final int LEFT = 84;
  private static final int MOST_DECIMALS = 4;
  private static final int RIGHT = 30;
  private static final int TOP = 36;
  private static final int BOTTOM = 46;

  /** Pixels between marks that have labels, at least. */
  private static final int LABEL_PIXELS = 75;

  /** Each has a dash of its own as well, for readers who see few colours. */
  private static final List<String> COLOURS =
      List.of(
          "#c1121f", "#0055aa", "#2a7f3f", "#a05a00", "#6a3d9a", "#007a7a", "#6b6b6b", "#8a4120",
          "#c0208a", "#222222", "#b84a00");

  /** The same on dark paper. */
  private static final List<String> DARK_COLOURS =
      List.of(
          "#ff7b82", "#6fb1ff", "#6fd08c", "#ffb454", "#c3a0ff", "#4fd6d6", "#b5b5b5", "#e09a70",
          "#ff85cf", "#f0f0f0", "#ff9b4f");

  private static final List<String> DASHES = List.of("none", "7 3", "2 3", "9 3 2 3");

  /** Outlines around a point; their number has no factor in common with those of the others. */
  private static final List<String> MARKERS =
      List.of(
          "M-3,0a3,3 0 1,0 6,0a3,3 0 1,0 -6,0",
          "M-3,-3h6v6h-6z",
          "M0,-4l4,7h-8z",
          "M0,-4l4,4l-4,4l-4,-4z",
          "M0,4l4,-7h-8z");

  /** Pixels between the markers of a line, and between names of algorithms, at least. */
  private static final int MARKER_PIXELS = 14;

  private static final int NAME_PIXELS = 60;

  /** A point; {@code bound} is the upper end of its band, {@code algorithm} empty if unknown. */
  private record Dot(double x, double y, double bound, String algorithm) {}

  /**
   * A logarithmic axis.
   *
   * @param marks powers of the base that span all values
   * @param from where on the paper the first mark is
   * @param to where the last one is
   */
  record Axis(List<Double> marks, double from, double to) {

    static Axis of(int base, double least, double most, double from, double to) {
      List<Double> marks = new ArrayList<>();
      double mark = Math.pow(base, Math.floor(Math.log(least) / Math.log(base) + 1e-9));
      do {
        marks.add(mark);
        mark *= base;
      } while (marks.get(marks.size() - 1) < most * (1 - 1e-9) || marks.size() < 2);
      return new Axis(marks, from, to);
    }

    /** Where a value is on the paper. */
    double at(double value) {
      double first = Math.log(marks.get(0));
      double last = Math.log(marks.get(marks.size() - 1));
      return from + (to - from) * (Math.log(value) - first) / (last - first);
    }
  }

  private final String title;
  private final String xTitle;
  private final String yTitle;
  private final DoubleFunction<String> xLabel;
  private final int xBase;
  private final Map<String, List<Dot>> lines = new LinkedHashMap<>();

  /**
   * @param xBase of the marks on the x axis: 10, or 4 for sizes
   * @param xLabel how a mark is named
   */
  private Chart(
      String title, String xTitle, String yTitle, int xBase, DoubleFunction<String> xLabel) {
    this.title = title;
    this.xTitle = xTitle;
    this.yTitle = yTitle;
    this.xBase = xBase;
    this.xLabel = xLabel;
  }

  /** Adds a point to a line; what a logarithm does not have is left out. */
  void add(String line, double x, double y) {
    add(line, x, y, y, "");
  }

  /**
   * Adds a point with an upper bound.
   *
   * @param algorithm what was measured there, empty if that does not change
   */
  void add(String line, double x, double y, double bound, String algorithm) {
    if (x > 0 && y > 0) {
      lines
          .computeIfAbsent(line, none -> new ArrayList<>())
          .add(new Dot(x, y, Math.max(y, bound), algorithm));
    }
  }

  /** Whether there is anything to draw: one size alone makes no line. */
  boolean isWorthDrawing() {
    return lines.values().stream().anyMatch(dots -> dots.size() > 1);
  }

  /** A chart against sizes in bytes. */
  static Chart bySize(String title, String unit) {
    return new Chart(title, "bytes per rank", unit, 4, bytes -> Figures.bytes((long) bytes));
  }

  /** The colours of the lines, for the style of a page. */
  static String style() {
    StringBuilder light = new StringBuilder();
    StringBuilder dark = new StringBuilder("@media (prefers-color-scheme:dark){\n");
    for (int i = 0; i < COLOURS.size(); i++) {
      light.append(".line%d{stroke:%s;color:%2$s}\n".formatted(i, COLOURS.get(i)));
      dark.append(".line%d{stroke:%s;color:%2$s}\n".formatted(i, DARK_COLOURS.get(i)));
    }
    return light.append(dark).append("}\n").toString();
  }

  /** The chart as HTML; its colours are in {@link #style}. */
  String html() {
    StringBuilder html = new StringBuilder("<figure>\n").append(svg()).append("<figcaption>\n");
    int number = 0;
    for (String line : lines.keySet()) {
      html.append("<div><svg class=\"sample\" viewBox=\"0 0 28 8\" aria-hidden=\"true\">")
          .append(
              "<line x1=\"0\" y1=\"4\" x2=\"28\" y2=\"4\" %s/>%s</svg>"
                  .formatted(stroke(number), marker(number++, 14, 4, "")))
          .append(Sheet.escape(line))
          .append("</div>\n");
    }
    return html.append("</figcaption></figure>\n").toString();
  }

  private String svg() {
    Axis x = axis(true, xBase, LEFT, WIDTH - RIGHT);
    Axis y = axis(false, 10, HEIGHT - BOTTOM, TOP);
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n"
            .formatted(WIDTH, HEIGHT, Sheet.escape(title)));
    text(svg, LEFT, 20, "start", "title", title);
    double labelled = -LABEL_PIXELS;
    double end = x.marks().get(x.marks().size() - 1);
    for (double mark : x.marks()) {
      rule(svg, x.at(mark), TOP, x.at(mark), HEIGHT - BOTTOM);
      boolean room =
          x.at(mark) - labelled >= LABEL_PIXELS && x.at(end) - x.at(mark) >= LABEL_PIXELS;
      if (room || mark == end) {
        labelled = x.at(mark);
        text(svg, labelled, HEIGHT - BOTTOM + 16, "middle", "mark", xLabel.apply(mark));
      }
    }
    for (double mark : y.marks()) {
      rule(svg, LEFT, y.at(mark), WIDTH - RIGHT, y.at(mark));
      text(svg, LEFT - 6, y.at(mark) + 4, "end", "mark", number(mark));
    }
    text(svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 8, "middle", "mark", xTitle);
    text(svg, 4, 20, "start", "mark", yTitle);
    int number = 0;
    for (Map.Entry<String, List<Dot>> line : lines.entrySet()) {
      draw(svg, x, y, line, number++);
    }
    return svg.append("</svg>\n").toString();
  }

  private Axis axis(boolean horizontal, int base, double from, double to) {
    double least = Double.MAX_VALUE;
    double most = 0;
    for (List<Dot> dots : lines.values()) {
      for (Dot dot : dots) {
        least = Math.min(least, horizontal ? dot.x : dot.y);
        most = Math.max(most, horizontal ? dot.x : dot.bound);
      }
    }
    return Axis.of(base, least, most, from, to);
  }

  private void draw(
      StringBuilder svg, Axis x, Axis y, Map.Entry<String, List<Dot>> line, int number) {
    List<Dot> dots = line.getValue();
    StringBuilder points = new StringBuilder();
    StringBuilder band = new StringBuilder();
    for (Dot dot : dots) {
      points.append(point(x.at(dot.x), y.at(dot.y)));
      band.insert(0, point(x.at(dot.x), y.at(dot.bound)));
    }
    if (dots.stream().anyMatch(dot -> dot.bound > dot.y)) {
      svg.append(
          "<polygon points=\"%s%s\" class=\"line%d\" fill=\"currentColor\" fill-opacity=\"0.15\""
                  .formatted(points, band.toString().trim(), number % COLOURS.size())
              + " style=\"stroke:none\"/>\n");
    }
    svg.append(
        "<polyline points=\"%s\" %s/>%n".formatted(points.toString().trim(), stroke(number)));
    double marked = -MARKER_PIXELS;
    double named = -NAME_PIXELS;
    String algorithm = "";
    for (Dot dot : dots) {
      boolean changed = !dot.algorithm.equals(algorithm);
      algorithm = dot.algorithm;
      double across = x.at(dot.x);
      if (changed) {
        tick(svg, across, y.at(dot.y), number);
        if (lines.size() == 1 && across - named >= NAME_PIXELS) {
          named = across;
          text(svg, across + 3, y.at(dot.y) + 24, "start", "mark", algorithm);
        }
      }
      if (changed || across - marked >= MARKER_PIXELS) {
        marked = across;
        String note = algorithm.isEmpty() ? "" : ", " + algorithm;
        String title = line.getKey() + ": " + Figures.figure(dot.y) + note;
        svg.append(marker(number, across, y.at(dot.y), title)).append('\n');
      }
    }
  }

  private static String point(double x, double y) {
    return String.format(Locale.ROOT, "%.1f,%.1f ", x, y);
  }

  private static void tick(StringBuilder svg, double x, double y, int number) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%1$.1f\" y2=\"%.1f\" class=\"line%d\"/>%n",
            x,
            y - 12,
            y + 12,
            number % COLOURS.size()));
  }

  private static String marker(int number, double x, double y, String title) {
    return String.format(
        Locale.ROOT,
        "<path transform=\"translate(%.1f %.1f)\" d=\"%s\" class=\"line%d\" fill=\"currentColor\">"
            + "<title>%s</title></path>",
        x,
        y,
        MARKERS.get(number % MARKERS.size()),
        number % COLOURS.size(),
        Sheet.escape(title));
  }

  private static String stroke(int number) {
    return "fill=\"none\" class=\"line%d\" stroke-dasharray=\"%s\""
        .formatted(number % COLOURS.size(), DASHES.get(number % DASHES.size()));
  }

  private static void rule(StringBuilder svg, double x1, double y1, double x2, double y2) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"rule\"/>%n",
            x1,
            y1,
            x2,
            y2));
  }

  private static void text(
      StringBuilder svg, double x, double y, String anchor, String style, String words) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">%s</text>%n",
            x,
            y,
            anchor,
            style,
            Sheet.escape(words)));
  }

  private static String number(double mark) {
    int decimals = mark >= 1 ? 0 : (int) Math.round(-Math.log10(mark));
    // More decimals are wider than the margin where the page is narrow and its letters are greater.
    return decimals > MOST_DECIMALS ? "1e-" + decimals : Figures.fixed(decimals, mark);
  }
}
