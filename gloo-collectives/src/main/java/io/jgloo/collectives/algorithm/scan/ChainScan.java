package io.jgloo.collectives.algorithm.scan;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Program.Order;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;

/**
 * Chain scan: each rank adds its contribution to what the rank before sends, and passes it on,
 * segment by segment; for large vectors.
 *
 * <p>P-1 steps, but the vector passes each link only once, and no rank reduces more than it must.
 * Ordered, as every scan is here.
 *
 * <p>Drawn: scan chain, 4 ranks, 2 elements, one by one.
 *
 * <pre>{@code
 *           rank 0   rank 1     rank 2     rank 3
 * round 1   a>1      +a<0
 * round 2   b>1      a>2 +b<0   +a<1
 * round 3            b>2        a>3 +b<1   +a<2
 * round 4                       b>3        +b<2
 * }</pre>
 *
 * <p>Drawn: exscan chain, 4 ranks, 2 elements, one by one.
 *
 * <pre>{@code
 *           rank 0   rank 1     rank 2     rank 3
 * round 1   a>1      +a<0
 * round 2   b>1      a>2 +b<0   +a<1
 * round 3            b>2        a>3 +b<1   a<2
 * round 4                       b>3        b<2
 * }</pre>
 *
 * @param collective scan or exscan
 */
public record ChainScan(Collective collective) implements Algorithm {
  private static final int SEGMENTS_IN_FLIGHT = 2;

  @Override
  public String name() {
    return "chain";
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    Partition segments = Partition.segments(shape);
    boolean last = rank == shape.size() - 1;
    for (int segment = 0; segment < segments.parts(); segment++) {
      Range range = segments.part(segment);
      long slot = (segments.longest() + 63) / 64 * 64 * (segment % SEGMENTS_IN_FLIGHT);
      Range sent = program.own(range);
      if (collective == Collective.SCAN && rank > 0) {
        program.recvReduceOwn(rank - 1, range, Order.SOURCE_FIRST);
        sent = program.result(range);
      } else if (rank > 0) {
        Range own = new Range(Space.SCRATCH, slot, range.length());
        if (!last) {
          program.copy(own, program.own(range)); // in place the result is received over it
        }
        program.recv(rank - 1, program.result(range));
        if (!last) {
          program.reduce(own, program.result(range), Order.SOURCE_FIRST);
        }
        sent = own;
      }
      if (!last) {
        program.send(rank + 1, sent);
      }
      if (collective == Collective.SCAN && rank == 0) {
        program.copyOwn(range);
      }
    }
    return program.schedule();
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    Partition segments = Partition.segments(shape);
    long path = shape.bytes() + (shape.size() - 2L) * segments.longest();
    long reducing = (long) shape.size() - (collective == Collective.SCAN ? 1 : 2);
    return new Cost(
        shape.size() - 1, segments.parts(), shape.bytes(), path, reducing * segments.longest());
  }
}
