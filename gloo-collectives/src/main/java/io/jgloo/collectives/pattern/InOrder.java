package io.jgloo.collectives.pattern;

import io.jgloo.collectives.Order;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.Space;

/**
 * Reduces a range at one rank that all others send it to, in the order of ranks.
 *
 * <p>Everybody's message has memory of its own, so all are received at once, in whatever order they
 * come; a segment at a time, two under way.
 */
public final class InOrder {
  private static final int SEGMENTS_IN_FLIGHT = 2;

  private final Program program;
  private final Shape shape;
  private final int rank;

  /** Receives at one rank. */
  public InOrder(Program program, Shape shape, int rank) {
    this.program = program;
    this.shape = shape;
    this.rank = rank;
  }

  /** Receives a range from all others and leaves it reduced in the result. */
  public void reduce(Range whole) {
    int lane = 0;
    for (Range segment : program.segments(whole)) {
      receive(segment, lane);
      Range reduced = shape.inPlace() ? program.own(segment) : program.result(segment);
      if (rank > 0) {
        Range below = slot(0, lane, segment.length());
        for (int other = 1; other < rank; other++) {
          program.reduce(below, slot(other, lane, segment.length()), Order.TARGET_FIRST);
        }
        if (shape.inPlace()) {
          program.reduce(reduced, below, Order.SOURCE_FIRST);
        } else {
          program.copy(reduced, below);
          program.reduce(reduced, program.own(segment), Order.TARGET_FIRST);
        }
      } else {
        program.copy(reduced, program.own(segment));
      }
      for (int other = rank + 1; other < shape.size(); other++) {
        program.reduce(reduced, slot(other, lane, segment.length()), Order.TARGET_FIRST);
      }
      lane = (lane + 1) % SEGMENTS_IN_FLIGHT;
    }
    if (shape.inPlace()) {
      program.copyOwn(whole); // reduced where it lay, as others' parts may lie in its way
    }
  }

  private void receive(Range segment, int lane) {
    for (int distance = 1; distance < shape.size(); distance++) {
      int other = Math.floorMod(rank - distance, shape.size());
      program.recv(other, slot(other, lane, segment.length()));
    }
  }

  private Range slot(int other, int lane, long length) {
    long slotBytes = (shape.segmentBytes() + 63) / 64 * 64;
    return new Range(Space.SCRATCH, ((long) lane * shape.size() + other) * slotBytes, length);
  }
}
