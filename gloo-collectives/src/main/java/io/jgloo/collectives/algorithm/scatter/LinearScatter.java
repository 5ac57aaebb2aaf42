package io.jgloo.collectives.algorithm.scatter;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;

/**
 * Linear scatter: the root sends every block to its rank; the messages of Gloo.
 *
 * <p>No byte is sent twice, but all messages begin at one rank. For large blocks.
 *
 * <p>Drawn: scatter linear, 4 ranks, 4 elements.
 *
 * <pre>{@code
 *           rank 0   rank 1   rank 2   rank 3
 * round 1   b>1      b<0
 * round 2   c>2               c<0
 * round 3   d>3                        d<0
 * }</pre>
 *
 * @param collective scatter or scatterv
 */
public record LinearScatter(Collective collective) implements Algorithm {
  @Override
  public String name() {
    return "linear";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    Partition blocks = Partition.chunks(shape);
    if (rank != shape.root()) {
      program.recv(shape.root(), program.result(blocks.part(rank)));
      return program.schedule();
    }
    for (int distance = 1; distance < shape.size(); distance++) {
      int to = (rank + distance) % shape.size();
      program.send(to, program.own(blocks.part(to)));
    }
    program.copyOwn(blocks.part(rank));
    return program.schedule();
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    long block = Partition.chunks(shape).longest();
    long others = shape.size() - 1L;
    return new Cost(others, others * shape.messages(block), others * block, others * block, 0)
        .queueing(others - 1);
  }
}
