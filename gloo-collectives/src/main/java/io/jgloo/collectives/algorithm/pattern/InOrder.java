package io.jgloo.collectives.algorithm.pattern;

import io.jgloo.collectives.Program;
import io.jgloo.collectives.Program.Order;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Shape;
import java.util.function.IntFunction;

/**
 * Reduces a range at one rank that all others send it to, in the order of ranks.
 *
 * <p>The message of each rank has memory of its own, so all are received at once, in whatever order
 * they come; a segment at a time, two under way.
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
    int slotSet = 0;
    long slotBytes = (Math.min(shape.segmentBytes(), whole.length()) + 63) / 64 * 64;
    for (Range segment : program.segments(whole)) {
      int slots = slotSet * shape.size();
      IntFunction<Range> slot =
          other -> new Range(Space.SCRATCH, (slots + other) * slotBytes, segment.length());
      for (int distance = 1; distance < shape.size(); distance++) {
        int other = Math.floorMod(rank - distance, shape.size());
        program.recv(other, slot.apply(other));
      }
      Range place = shape.inPlace() ? program.own(segment) : program.result(segment);
      fold(program, shape.size(), rank, slot, program.own(segment), place);
      slotSet = (slotSet + 1) % SEGMENTS_IN_FLIGHT;
    }
    if (shape.inPlace()) {
      program.copyOwn(whole); // reduced where it lay, as others' parts may lie in its way
    }
  }

  /**
   * Reduces what several members gave in their order.
   *
   * @param me this rank's place among them
   * @param slot where what a member gave lies; what was given before this rank's is written to
   * @param own where what this rank gives lies
   * @param place where the reduction is to lie
   */
  public static void fold(
      Program program, int members, int me, IntFunction<Range> slot, Range own, Range place) {
    program.copy(place, own);
    for (int member = 1; member < me; member++) {
      program.reduce(slot.apply(0), slot.apply(member), Order.TARGET_FIRST);
    }
    if (me > 0) {
      program.reduce(place, slot.apply(0), Order.SOURCE_FIRST);
    }
    for (int member = me + 1; member < members; member++) {
      program.reduce(place, slot.apply(member), Order.TARGET_FIRST);
    }
  }
}
