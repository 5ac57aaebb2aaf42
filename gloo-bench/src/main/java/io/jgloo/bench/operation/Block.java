package io.jgloo.bench.operation;

import io.jgloo.collectives.DataType;

/**
 * Part of a vector whose content is known.
 *
 * @param first element of the vector
 * @param count elements
 * @param phase which element of the content the first one is
 * @param content what is there
 */
record Block(long first, long count, long phase, Content content) {

  /** The bits of an element, in a round. */
  @FunctionalInterface
  interface Content {
    long bits(long index, int round);
  }

  static Block whole(long count, Content content) {
    return new Block(0, count, 0, content);
  }

  void fill(Vector vector, DataType type, int round) {
    try (Pattern pattern = pattern(type, round)) {
      pattern.fill(vector, first, count, phase);
    }
  }

  void check(Vector vector, DataType type, int round, Findings findings) {
    try (Pattern pattern = pattern(type, round)) {
      pattern.check(vector, first, count, phase, findings);
    }
  }

  private Pattern pattern(DataType type, int round) {
    return new Pattern(type, phase + count, index -> content.bits(index, round));
  }
}
