package io.jgloo.collectives.algorithm.pattern;

import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Program.Order;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Shape;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The chunks in the order of a ring that begins at one rank, and the rounds that halve or double
 * them, for any P.
 *
 * <p>A rank that is responsible for w chunks from its own onwards keeps the first h = ceil(w/2) and
 * sends the others h ranks on, where they are the first. Backwards it is an allgather: Bruck's,
 * without the rotation at its end, as every chunk is received where it belongs. Where a range wraps
 * round the end of the vector, it takes two messages.
 */
public final class HalvingRing {
  private final Program program;
  private final Shape shape;
  private final int rank;
  private final Partition chunks;
  private final UnaryOperator<Range> place;

  /** The ring of a shape, in which partial reductions lie where the result will. */
  public HalvingRing(Program program, Shape shape, int rank) {
    this(program, shape, rank, program::result);
  }

  /**
   * The ring of a shape.
   *
   * @param place where partial reductions of a range lie
   */
  public HalvingRing(Program program, Shape shape, int rank, UnaryOperator<Range> place) {
    this.program = program;
    this.shape = shape;
    this.rank = rank;
    this.chunks = Partition.chunks(shape);
    this.place = place;
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

  /** Leaves this rank's own chunk reduced, where partial reductions lie. */
  public void reduceScatter() {
    if (shape.size() == 1) {
      program.copyOwn(chunks.part(rank));
    } else {
      halve(shape.size());
    }
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
    each(
        kept,
        width,
        range -> program.send(peer(kept), first ? program.own(range) : place.apply(range)));
    each(
        0,
        width - kept,
        range -> {
          if (first) {
            program.recvReduceOwn(from, range, place.apply(range), Order.TARGET_FIRST);
          } else {
            program.recvReduce(from, place.apply(range), Order.TARGET_FIRST);
          }
        });
    if (first) { // the odd chunk out met no other's yet
      each(width - kept, kept, range -> program.copy(place.apply(range), program.own(range)));
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
