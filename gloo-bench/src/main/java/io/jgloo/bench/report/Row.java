package io.jgloo.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Objects;

/**
 * One line of the table: an operation at one size.
 *
 * <p>A percentile is the slowest rank's: each rank takes the percentile of its own calls, and the
 * greatest of these is reported. So no rank hides that only issues work and runs ahead of the
 * others.
 *
 * @param bytes of a rank's vector; where it is cut into blocks, of all of them
 * @param count elements of it
 * @param type of the elements; absent if there are none
 * @param op how it reduces; absent if it does not
 * @param root absent if there is none
 * @param algorithm the one that did it; absent if there is none to choose
 * @param p50Us median time of a call in microseconds, of the slowest rank
 * @param p99Us 99th percentile, likewise
 * @param maxUs longest call of all
 * @param algbw bytes by median time, in GB/s of 10^9 bytes
 * @param busbw algbw times the operation's factor
 * @param errors wrong elements at all ranks
 * @param iterations calls that were timed, at each rank
 * @param warmup calls before them
 * @param rankP50Us each rank's own median; 0 where a rank does not time
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Row(
    String operation,
    long bytes,
    long count,
    String type,
    String op,
    Integer root,
    String algorithm,
    double p50Us,
    double p99Us,
    double maxUs,
    double algbw,
    double busbw,
    long errors,
    int iterations,
    long warmup,
    List<Double> rankP50Us) {

  /** The columns of a table for people. */
  static final List<String> COLUMNS =
      List.of(
          "size",
          "count",
          "type",
          "op",
          "algorithm",
          "p50 us",
          "p99 us",
          "max us",
          "algbw",
          "busbw",
          "errors");

  /** What the lines of this row's operation have in common. */
  String title() {
    return operation + (root == null ? "" : ", root " + root);
  }

  /** A cell for each of {@link #COLUMNS}. */
  List<String> cells() {
    return List.of(
        "" + bytes,
        "" + count,
        Objects.toString(type, "-"),
        Objects.toString(op, "-"),
        Objects.toString(algorithm, "-"),
        micros(p50Us),
        micros(p99Us),
        micros(maxUs),
        Figures.fixed(3, algbw),
        Figures.fixed(3, busbw),
        "" + errors);
  }

  private static String micros(double value) {
    return Figures.fixed(value < 1000 ? 2 : 0, value);
  }
}
