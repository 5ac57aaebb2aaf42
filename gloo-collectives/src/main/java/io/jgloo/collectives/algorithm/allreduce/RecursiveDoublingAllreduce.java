package io.jgloo.collectives.algorithm.allreduce;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Program.Order;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.Embeddable;
import io.jgloo.collectives.algorithm.pattern.Folding;

/**
 * Recursive doubling allreduce: in each round ranks exchange all they have with the rank at twice
 * the distance; the fewest steps, for small vectors.
 *
 * <p>log2(P) steps of S bytes; two more when P is no power of two ({@link Folding}). A round
 * receives into scratch and reduces from there once its own send is out: receiving straight into
 * what is being sent would deadlock. Both ranks of an exchange put the lower block first, so all
 * end with the same bits, in ascending order of ranks. Thakur, Rabenseifner and Gropp,
 * "Optimization of collective communication operations in MPICH", 2005.
 *
 * <p>Drawn: allreduce recursiveDoubling, 4 ranks, 4 elements.
 *
 * <pre>{@code
 *           rank 0     rank 1     rank 2     rank 3
 * round 1   a>1 +a<1   a>0 +a<0   a>3 +a<3   a>2 +a<2
 * round 2   a>2 +a<2   a>3 +a<3   a>0 +a<0   a>1 +a<1
 * }</pre>
 *
 * <p>Drawn: allreduce recursiveDoubling, 3 ranks, 3 elements.
 *
 * <pre>{@code
 *           rank 0     rank 1   rank 2
 * round 1   +a<1       a>0
 * round 2   a>2 +a<2            a>0 +a<0
 * round 3   a>1        a<0
 * }</pre>
 */
public final class RecursiveDoublingAllreduce implements Embeddable {
  /** Segments that may be between their first and last round; bounds the scratch memory. */
  private static final int SEGMENTS_IN_FLIGHT = 2;

  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
  }

  @Override
  public String name() {
    return "recursiveDoubling";
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public void write(Program program, Shape shape, int rank) {
    Folding folding = new Folding(shape.size(), rank);
    Partition segments = Partition.segments(shape);
    Doubling doubling = new Doubling(program, shape, folding, segments.longest());
    for (int segment = 0; segment < segments.parts(); segment++) {
      Range range = segments.part(segment);
      if (shape.size() == 1) {
        program.copyOwn(range);
      } else if (folding.gives()) {
        program.send(folding.partner(), program.own(range));
        program.recv(folding.partner(), range);
      } else {
        doubling.run(range, segment % SEGMENTS_IN_FLIGHT);
      }
    }
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.count() == 0) {
      return Cost.NOTHING;
    }
    Folding folding = new Folding(shape.size(), 0);
    long rounds = folding.rounds();
    long folded = folding.takes() ? 1 : 0;
    long sends = rounds + folded;
    return new Cost(
        rounds + 2 * folded,
        sends * Partition.segments(shape).parts(),
        sends * shape.bytes(),
        (rounds + 2 * folded) * shape.bytes(),
        (rounds + folded) * shape.bytes());
  }

  /** The part of a rank that remains after folding. */
  private record Doubling(Program program, Shape shape, Folding folding, long segmentBytes) {
    void run(Range range, int slotSet) {
      boolean untouched = true;
      if (folding.takes()) {
        program.recvReduceOwn(folding.partner(), range, Order.TARGET_FIRST);
        untouched = false;
      }
      for (int round = 0; round < folding.rounds(); round++) {
        exchange(range, round, slot(slotSet, round, range.length()), untouched);
        untouched = false;
      }
      if (folding.takes()) {
        program.send(folding.partner(), range);
      }
    }

    private void exchange(Range range, int round, Range scratch, boolean untouched) {
      int peer = folding.rankOf(folding.number() ^ (1 << round));
      Order order = peer > folding.rank() ? Order.TARGET_FIRST : Order.SOURCE_FIRST;
      program.send(peer, untouched ? program.own(range) : range);
      if (untouched && !shape.inPlace()) {
        program.recvReduceOwn(peer, range, order); // the output is free to receive into
      } else {
        program.recv(peer, scratch);
        program.reduce(range, scratch, order);
      }
    }

    /** A slot of its own for each round, so that all receives of a segment are posted at once. */
    private Range slot(int slotSet, int round, long length) {
      long slotBytes = (segmentBytes + 63) / 64 * 64;
      return new Range(
          Space.SCRATCH, ((long) slotSet * folding.rounds() + round) * slotBytes, length);
    }
  }
}
