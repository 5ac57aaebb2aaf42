package io.jgloo.bench.compare;

import java.util.ArrayList;
import java.util.List;

/**
 * A logarithmic axis of a chart.
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
