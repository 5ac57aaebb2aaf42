package io.jgloo.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What {@code gloo-bench/run rpc} has measured.
 *
 * @param rounds how often; each figure is the median
 * @param echoes calls one after another
 * @param rates calls of which many are under way
 * @param references remote references, of the libraries that have them
 */
public record RpcReport(
    Machine machine, int rounds, List<Echo> echoes, List<Rate> rates, List<Reference> references)
    implements Document {

  private static final long REFERENCE_BYTES = 8;

  /** Reports of earlier versions have no references. */
  public RpcReport {
    references = references == null ? List.of() : references;
  }

  /** Times of calls with an argument and a result of this many bytes. */
  public record Echo(String library, long bytes, double p50Us, double p99Us) {}

  /** Calls per second with this many under way. */
  public record Rate(String library, long bytes, int underWay, double callsPerSecond) {}

  /**
   * Times to create, fetch and close one reference, and how many per second with some under way.
   */
  public record Reference(
      String library, double p50Us, double p99Us, int underWay, double perSecond) {}

  @Override
  public String title() {
    return "Remote calls between two processes";
  }

  @Override
  public List<String> notes() {
    return machine.notes();
  }

  @Override
  public List<Sheet> sheets() {
    List<Map<String, Object>> times = new ArrayList<>();
    for (Echo echo : echoes) {
      times.add(
          Sheet.row(
              "library", echo.library(),
              "bytes", echo.bytes(),
              "p50Us", echo.p50Us(),
              "p99Us", echo.p99Us()));
    }
    List<Map<String, Object>> many = new ArrayList<>();
    for (Rate rate : rates) {
      many.add(
          Sheet.row(
              "library", rate.library(),
              "bytes", rate.bytes(),
              "underWay", rate.underWay(),
              "callsPerSecond", rate.callsPerSecond()));
    }
    List<Map<String, Object>> made = new ArrayList<>();
    for (Reference reference : references) {
      made.add(
          Sheet.row(
              "library", reference.library(),
              "bytes", REFERENCE_BYTES,
              "p50Us", reference.p50Us(),
              "p99Us", reference.p99Us(),
              "underWay", reference.underWay(),
              "perSecond", reference.perSecond()));
    }
    String medians = "Medians of " + rounds + " rounds.";
    return List.of(
        Sheet.of("One call at a time", medians, times),
        Sheet.of("Pipelined calls", medians, many),
        Sheet.of("Remote references: create, fetch, close", medians, made));
  }

  @Override
  public Sheet flat() {
    List<Map<String, Object>> all = new ArrayList<>();
    for (Echo echo : echoes) {
      add(all, echo.library(), echo.bytes(), "p50Us", echo.p50Us());
      add(all, echo.library(), echo.bytes(), "p99Us", echo.p99Us());
    }
    for (Rate rate : rates) {
      add(all, rate.library(), rate.bytes(), "callsPerSecond", rate.callsPerSecond());
    }
    for (Reference reference : references) {
      String library = reference.library();
      add(all, library, REFERENCE_BYTES, "referenceP50Us", reference.p50Us());
      add(all, library, REFERENCE_BYTES, "referenceP99Us", reference.p99Us());
      add(all, library, REFERENCE_BYTES, "referencesPerSecond", reference.perSecond());
    }
    return Sheet.of(title(), "", all);
  }

  private static void add(
      List<Map<String, Object>> all, String library, long bytes, String measure, double value) {
    all.add(Sheet.row("library", library, "bytes", bytes, "measure", measure, "value", value));
  }
}
