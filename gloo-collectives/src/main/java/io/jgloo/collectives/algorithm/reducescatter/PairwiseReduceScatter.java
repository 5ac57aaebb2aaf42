package io.jgloo.collectives.algorithm.reducescatter;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.InOrder;
import io.jgloo.collectives.algorithm.pattern.OneRound;

/**
 * Pairwise reduce-scatter: every rank sends every other its part of the vector, and reduces what it
 * receives in the order of ranks.
 *
 * <p>The steps and bytes of the ring, but messages that need not wait for each other, and ordered:
 * associated from the left as a loop over the ranks would. It needs twice P-1 segments of scratch.
 *
 * <p>Drawn: reduceScatter pairwise, 4 ranks, 4 elements.
 *
 * <pre>{@code
 *           rank 0     rank 1     rank 2     rank 3
 * round 1   b>1 +a<3   c>2 +b<0   d>3 +c<1   a>0 +d<2
 * round 2   c>2 +a<2   d>3 +b<3   a>0 +c<0   b>1 +d<1
 * round 3   d>3 +a<1   a>0 +b<2   b>1 +c<3   c>2 +d<0
 * }</pre>
 *
 * @param collective reduceScatter or reduceScatterv
 */
public record PairwiseReduceScatter(Collective collective) implements OneRound {
  @Override
  public String name() {
    return "pairwise";
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    Partition blocks = Partition.chunks(shape);
    for (int distance = 1; distance < shape.size(); distance++) {
      int peer = (rank + distance) % shape.size();
      program.send(peer, program.own(blocks.part(peer)));
    }
    new InOrder(program, shape, rank).reduce(blocks.part(rank));
    return program.schedule();
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    long others = shape.size() - 1L;
    long block = Partition.chunks(shape).longest();
    long bytes = others * block;
    return new Cost(others, others * shape.messages(block), bytes, bytes, bytes)
        .queueing(others - 1);
  }
}
