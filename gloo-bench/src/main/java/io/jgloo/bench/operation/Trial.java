package io.jgloo.bench.operation;

import io.jgloo.collectives.DataType;
import java.util.Optional;

/**
 * One operation at one rank, for one size.
 *
 * <p>All ranks do the same in the same order, as the calls of their group demand.
 *
 * <p><em>Threads</em>: one. <em>Owns</em>: its vectors.
 */
public interface Trial extends AutoCloseable {

  /** What was found wrong at one rank: how much, and the first of it in words. */
  final class Findings {

    private long errors;
    private String first;

    void wrong(long index, DataType type, long expected, long found) {
      wrong(
          "element "
              + index
              + " is "
              + Numbers.value(type, found)
              + ", expected "
              + Numbers.value(type, expected));
    }

    void wrong(String what) {
      errors++;
      if (first == null) {
        first = what;
      }
    }

    /** Number of wrong elements. */
    public long errors() {
      return errors;
    }

    /** The first of them. */
    public Optional<String> first() {
      return Optional.ofNullable(first);
    }
  }

  /** Name of the algorithm that does it; empty if there is nothing to choose. */
  default String algorithm() {
    return "";
  }

  /** Whether this rank's calls are worth timing; not at the far end of an echo. */
  default boolean timed() {
    return true;
  }

  /** Makes a call with fresh data and compares what comes out. */
  void verify(int round, Findings findings);

  /** Puts data in place with which any number of calls can be made. */
  default void settle() {}

  /** What is timed. */
  void call();

  /** Compares what the last of these calls left. */
  default void checkSettled(Findings findings) {}

  @Override
  default void close() {}
}
