package io.jgloo.bench.compare;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * Everything a comparison found; its JSON is this.
 *
 * @param rounds that were measured
 * @param quick whether nothing was warmed up, so that figures say nothing of speed
 * @param modes of the peers that are there
 * @param missing peers that are not, with what to install
 * @param failures what could not be measured
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Results(
    Machine machine,
    int rounds,
    boolean quick,
    Map<String, String> modes,
    List<String> missing,
    List<String> failures,
    List<Point> points,
    List<Verdict> verdicts,
    List<KernelSpeeds.Line> kernels,
    List<SystemCalls.Line> systemCalls,
    List<Load.Line> load,
    List<Groups.Line> groups,
    List<Growth.Line> growth,
    List<Growth.Forecast> forecasts) {

  /** The points of one operation with one number of ranks. */
  List<Point> points(String operation, int ranks) {
    return points.stream()
        .filter(point -> point.operation().equals(operation) && point.ranks() == ranks)
        .toList();
  }
}
