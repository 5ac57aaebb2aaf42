package io.jgloo.collectives.pattern;

import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Order;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.Space;
import java.util.function.Consumer;

/**
 * The chunks as seen from one rank, its own first, the others in ascending order, round again; and
 * the rounds that halve them or double them, for any P.
 *
 * <p>A rank that is responsible for w chunks from its own onwards keeps the first h = ceil(w/2) and
 * sends the others h ranks on, where they are the first. Backwards it is an allgather: Bruck's,
 * without the rotation at its end, as every chunk is received where it belongs. Where a range wraps
 * round the end of the vector, it takes two messages.
 */
public final class Circle {
  private final Program program;
  private final Shape shape;
  private final int rank;
  private final Partition chunks;
  private final boolean gathers;

  /**
   * The circle of a shape.
   *
   * @param gathers whether reduced chunks are to be gathered, so that they lie in the result at
   *     once
   */
  public Circle(Program program, Shape shape, int rank, boolean gathers) {
    this.program = program;
    this.shape = shape;
    this.rank = rank;
    this.chunks = Partition.chunks(shape);
    this.gathers = gathers;
  }

  /** What the rounds cost in one direction, without what is reduced. */
  public static Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    long chunk = Partition.chunks(shape).longest();
    long messages = 0;
    for (int width = shape.size(); width > 1; width -= width / 2) {
      long sent = width / 2;
      messages += shape.messages(sent * chunk) + (sent > 1 ? 1 : 0); // one more if it wraps round
    }
    long bytes = (shape.size() - 1) * chunk;
    return new Cost(shape.doublings(), messages, bytes, bytes, 0);
  }

  /** Leaves this rank's own chunk reduced in its result. */
  public void reduceScatter() {
    if (shape.size() > 1) {
      halve(shape.size());
    }
    Range own = chunks.part(rank);
    program.copy(program.result(own), shape.size() == 1 ? program.own(own) : place(own));
  }

  /** Fetches all chunks, this rank's own lying in its place already. */
  public void allgather() {
    allgather(shape.size(), false);
  }

  /** Fetches all chunks, this rank's own lying where it contributes it. */
  public void allgatherOwn() {
    program.copyOwn(chunks.part(rank));
    allgather(shape.size(), true);
  }

  private void halve(int width) {
    if (width == 1) {
      return;
    }
    boolean first = width == shape.size();
    int kept = width - width / 2;
    int from = peer(-kept);
    each(kept, width, range -> program.send(peer(kept), first ? program.own(range) : place(range)));
    each(
        0,
        width - kept,
        range -> {
          if (first) {
            program.recvReduceOwn(from, range, place(range), Order.TARGET_FIRST);
          } else {
            program.recvReduce(from, place(range), Order.TARGET_FIRST);
          }
        });
    if (first && !shape.inPlace()) { // the odd chunk out met no other's yet
      each(width - kept, kept, range -> program.copy(place(range), program.own(range)));
    }
    halve(kept);
  }

  private void allgather(int width, boolean ownIsInput) {
    if (width == 1) {
      return;
    }
    int kept = width - width / 2;
    allgather(kept, ownIsInput);
    boolean own = ownIsInput && kept == 1;
    each(
        0,
        width - kept,
        range -> program.send(peer(-kept), own ? program.own(range) : program.result(range)));
    each(kept, width, range -> program.recv(peer(kept), program.result(range)));
  }

  /** Where partial reductions lie. */
  private Range place(Range range) {
    if (gathers) {
      return program.result(range);
    }
    return shape.inPlace() ? program.own(range) : range.in(Space.SCRATCH);
  }

  private int peer(int distance) {
    return Math.floorMod(rank + distance, shape.size());
  }

  /** Visits chunks {@code first} up to {@code end} in ranges, cut alike on all ranks. */
  private void each(int first, int end, Consumer<Range> visit) {
    int size = shape.size();
    int start = (rank + first) % size;
    int until = start + end - first;
    if (start < Math.min(until, size)) {
      visit.accept(chunks.parts(start, Math.min(until, size)));
    }
    if (until > size) {
      visit.accept(chunks.parts(0, until - size));
    }
  }
}
