package io.jgloo.collectives.algorithm.broadcast;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.Embeddable;
import io.jgloo.collectives.algorithm.pattern.Pipeline;

/**
 * Pipelined chain broadcast: each rank passes every segment on to the next as it comes; for large
 * vectors.
 *
 * <p>P-1 steps, but the vector passes each link only once: S + (P-2)L bytes one after another, with
 * segments of L bytes ({@link Pipeline}).
 *
 * <p>Drawn: broadcast pipelinedChain, 4 ranks, 3 elements, one by one.
 *
 * <pre>{@code
 *           rank 0   rank 1    rank 2    rank 3
 * round 1   a>1      a<0
 * round 2   b>1      a>2 b<0   a<1
 * round 3   c>1      b>2 c<0   a>3 b<1   a<2
 * round 4            c>2       b>3 c<1   b<2
 * round 5                      c>3       c<2
 * }</pre>
 */
public final class ChainBroadcast implements Embeddable {
  @Override
  public Collective collective() {
    return Collective.BROADCAST;
  }

  @Override
  public String name() {
    return "pipelinedChain";
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public void write(Program program, Shape shape, int rank) {
    int size = shape.size();
    int number = (rank - shape.root() + size) % size;
    Partition segments = Pipeline.segments(shape, shape.size() - 2);
    for (int segment = 0; segment < segments.parts(); segment++) {
      Range range = segments.part(segment);
      if (number > 0) {
        program.recv((rank + size - 1) % size, range);
      }
      if (number < size - 1) {
        program.send((rank + 1) % size, number == 0 ? program.own(range) : range);
      }
      if (number == 0) {
        program.copyOwn(range);
      }
    }
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.count() == 0) {
      return Cost.NOTHING;
    }
    Partition segments = Pipeline.segments(shape, shape.size() - 2);
    long path = shape.bytes() + (shape.size() - 2) * segments.longest();
    return new Cost(shape.size() - 1, segments.parts(), shape.bytes(), path, 0);
  }

  @Override
  public int linkSharers(Layout layout) {
    return layout.mostCrossings();
  }

  @Override
  public double idleLinks(Shape shape) {
    return -0.2;
  }
}
