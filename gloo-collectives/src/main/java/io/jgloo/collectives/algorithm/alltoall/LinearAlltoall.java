package io.jgloo.collectives.algorithm.alltoall;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.OneRound;

/**
 * Linear alltoall: everything is sent and received at once, beginning with the ranks that follow.
 *
 * <p>P-1 messages of one block, the messages of Gloo. In place what is sent is copied first.
 *
 * <p>Drawn: alltoall linear, 4 ranks, 4 elements.
 *
 * <pre>{@code
 *           rank 0      rank 1      rank 2      rank 3
 * round 1   b0>1 a3<3   c1>2 b0<0   d2>3 c1<1   a3>0 d2<2
 * round 2   c0>2 a2<2   d1>3 b3<3   a2>0 c0<0   b3>1 d1<1
 * round 3   d0>3 a1<1   a1>0 b2<2   b2>1 c3<3   c3>2 d0<0
 * }</pre>
 *
 * @param collective alltoall or alltoallv
 */
public record LinearAlltoall(Collective collective) implements OneRound {
  @Override
  public String name() {
    return "linear";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    Partition sent = Partition.chunks(shape);
    Partition received = Partition.received(shape);
    int size = shape.size();
    for (int distance = 1; distance < size; distance++) {
      int peer = (rank + distance) % size;
      Range block = program.own(sent.part(peer));
      if (shape.inPlace()) {
        program.copy(block.in(Space.SCRATCH), block);
      }
      program.send(peer, shape.inPlace() ? block.in(Space.SCRATCH) : block);
    }
    for (int distance = 1; distance < size; distance++) {
      int peer = (rank - distance + size) % size;
      program.recv(peer, program.result(received.part(peer)));
    }
    program.copy(program.result(received.part(rank)), program.own(sent.part(rank)));
    return program.schedule();
  }

  /**
   * The counts of an alltoallv are not the same at all ranks and must not decide what they choose,
   * so its blocks count as one message of no bytes.
   */
  @Override
  public Cost cost(Shape shape) {
    int others = shape.size() - 1;
    int queued = Math.max(0, others - 1);
    if (shape.collective() == Collective.ALLTOALLV) {
      return new Cost(others, others, 0, 0, 0).queueing(queued);
    }
    if (shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    long block = Partition.chunks(shape).longest();
    long bytes = others * block;
    return new Cost(others, others * shape.messages(block), bytes, bytes, 0).queueing(queued);
  }
}
