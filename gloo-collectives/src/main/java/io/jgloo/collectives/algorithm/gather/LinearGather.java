package io.jgloo.collectives.algorithm.gather;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;

/**
 * Linear gather: the root receives every block from its rank; the messages of Gloo.
 *
 * <p>No byte is sent twice, but all messages end at one rank. For large blocks.
 *
 * <p>Drawn: gather linear, 4 ranks, 4 elements.
 *
 * <pre>{@code
 *           rank 0   rank 1   rank 2   rank 3
 * round 1   b<1      b>0
 * round 2   c<2               c>0
 * round 3   d<3                        d>0
 * }</pre>
 *
 * @param collective gather or gatherv
 */
public record LinearGather(Collective collective) implements Algorithm {
  @Override
  public String name() {
    return "linear";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    Partition blocks = Partition.chunks(shape);
    if (rank != shape.root()) {
      program.send(shape.root(), program.own(blocks.part(rank)));
      return program.schedule();
    }
    for (int distance = 1; distance < shape.size(); distance++) {
      int from = (rank + distance) % shape.size();
      program.recv(from, program.result(blocks.part(from)));
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
    return new Cost(others, shape.messages(block), block, others * block, 0).queueing(others - 1);
  }
}
