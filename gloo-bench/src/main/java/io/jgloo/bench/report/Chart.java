package io.jgloo.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;

/** Lines over two logarithmic axes, as SVG that needs nothing else. */
public final class Chart {

  private static final int WIDTH = 760;
  private static final int HEIGHT = 420;
  private static final int LEFT = 70;
  private static final int RIGHT = 200;
  private static final int TOP = 36;
  private static final int BOTTOM = 46;

  /** Each has a dash of its own as well, for readers who see few colours. */
  private static final List<String> COLOURS =
      List.of(
          "#c1121f", "#0055aa", "#2a7f3f", "#b36b00", "#6a3d9a", "#008b8b", "#7f7f7f", "#a0522d",
          "#d6279a", "#222222", "#ff7f0e");

  private static final List<String> DASHES = List.of("none", "7 3", "2 3", "9 3 2 3");

  private record Dot(double x, double y) {}

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
    if (x > 0 && y > 0) {
      lines.computeIfAbsent(line, none -> new ArrayList<>()).add(new Dot(x, y));
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

  /** A chart against the number of ranks. */
  static Chart byRanks(String title, String unit) {
    return new Chart(title, "ranks", unit, 2, ranks -> "" + (long) ranks);
  }

  String svg() {
    Axis x = axis(true, xBase, LEFT, WIDTH - RIGHT);
    Axis y = axis(false, 10, HEIGHT - BOTTOM, TOP);
    StringBuilder svg = new StringBuilder();
    svg.append("<svg viewBox=\"0 0 %d %d\" role=\"img\">%n".formatted(WIDTH, HEIGHT));
    text(svg, LEFT, 20, "start", "title", title);
    for (double mark : x.marks()) {
      rule(svg, x.at(mark), TOP, x.at(mark), HEIGHT - BOTTOM);
      text(svg, x.at(mark), HEIGHT - BOTTOM + 16, "middle", "mark", xLabel.apply(mark));
    }
    for (double mark : y.marks()) {
      rule(svg, LEFT, y.at(mark), WIDTH - RIGHT, y.at(mark));
      text(svg, LEFT - 6, y.at(mark) + 4, "end", "mark", number(mark));
    }
    text(svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 8, "middle", "mark", xTitle);
    text(svg, 4, TOP - 4, "start", "mark", yTitle);
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
        most = Math.max(most, horizontal ? dot.x : dot.y);
      }
    }
    return Axis.of(base, least, most, from, to);
  }

  private static void draw(
      StringBuilder svg, Axis x, Axis y, Map.Entry<String, List<Dot>> line, int number) {
    String colour = COLOURS.get(number % COLOURS.size());
    String dash = DASHES.get(number % DASHES.size());
    StringBuilder points = new StringBuilder();
    for (Dot dot : line.getValue()) {
      points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x.at(dot.x), y.at(dot.y)));
      svg.append(
          String.format(
              Locale.ROOT,
              "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%s: %s</title></circle>%n",
              x.at(dot.x),
              y.at(dot.y),
              colour,
              Sheet.escape(line.getKey()),
              Figures.figure(dot.y)));
    }
    String stroke = "fill=\"none\" stroke=\"%s\" stroke-dasharray=\"%s\"".formatted(colour, dash);
    svg.append("<polyline points=\"%s\" %s/>%n".formatted(points.toString().trim(), stroke));
    int legend = TOP + 10 + 18 * number;
    int start = WIDTH - RIGHT + 10;
    svg.append(
        "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" %s/>%n"
            .formatted(start, legend - 4, start + 24, legend - 4, stroke));
    text(svg, start + 30, legend, "start", "mark", line.getKey());
  }

  private static void rule(StringBuilder svg, double x1, double y1, double x2, double y2) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>%n",
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
    return mark >= 1 ? String.format(Locale.ROOT, "%.0f", mark) : Double.toString(mark);
  }
}
