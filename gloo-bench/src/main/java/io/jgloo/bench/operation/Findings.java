package io.jgloo.bench.operation;

import io.jgloo.collectives.DataType;
import java.util.Optional;

/** What was found wrong at one rank: how much, and the first of it in words. */
public final class Findings {

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
