package io.jgloo.bench.report;

/**
 * Where measurements go as they come.
 *
 * <p><em>Threads</em>: one at a time.
 */
public interface Report {

  /** What is about to run; first, and once. */
  void begin(Header header);

  /** What is going on now. */
  default void phase(String what) {}

  /** A line is complete. */
  void row(Row row);

  /** All lines are complete. */
  void end();

  /** Goes nowhere: for the ranks that do not speak. */
  static Report none() {
    return new Report() {
      @Override
      public void begin(Header header) {
        // Rank 0 tells.
      }

      @Override
      public void row(Row row) {
        // Rank 0 tells.
      }

      @Override
      public void end() {
        // Rank 0 tells.
      }
    };
  }
}
