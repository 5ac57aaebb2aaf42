package io.jgloo.collectives.algorithm.flat;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.InOrder;
import io.jgloo.collectives.algorithm.pattern.OneRound;

/**
 * Flat allreduce, barrier, broadcast and allgather: each rank sends what it has to all others at
 * once, and reduces what it gets in the order of ranks.
 *
 * <p>P-1 messages for each rank, of which none waits for another. It is for short messages through
 * shared memory, where a message costs little and a step a journey between two processors; over a
 * network others are faster.
 *
 * <p>Drawn: allreduce flat, 3 ranks, 1 elements.
 *
 * <pre>{@code
 *           rank 0     rank 1     rank 2
 * round 1   a>1 +a<2   a>2 +a<0   a>0 +a<1
 * round 2   a>2 +a<1   a>0 +a<2   a>1 +a<0
 * }</pre>
 *
 * <p>Drawn: broadcast flat, 3 ranks, 1 elements.
 *
 * <pre>{@code
 *           rank 0   rank 1   rank 2
 * round 1   a>1      a<0
 * round 2   a>2               a<0
 * }</pre>
 *
 * <p>Drawn: allgather flat, 3 ranks, 3 elements.
 *
 * <pre>{@code
 *           rank 0    rank 1    rank 2
 * round 1   a>1 c<2   b>2 a<0   c>0 b<1
 * round 2   a>2 b<1   b>0 c<2   c>1 a<0
 * }</pre>
 *
 * <p>Drawn: barrier flat, 3 ranks, 0 elements.
 *
 * <pre>{@code
 *           rank 0   rank 1   rank 2
 * round 1   >1 <2    >2 <0    >0 <1
 * round 2   >2 <1    >0 <2    >1 <0
 * }</pre>
 *
 * @param collective one of the four
 */
public record Flat(Collective collective) implements OneRound {
  @Override
  public String name() {
    return "flat";
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    switch (collective) {
      case BARRIER -> barrier(program, shape, rank);
      case BROADCAST -> broadcast(program, shape, rank);
      case ALLGATHER -> allgather(program, shape, rank);
      default -> allreduce(program, shape, rank);
    }
    return program.schedule();
  }

  private static void allreduce(Program program, Shape shape, int rank) {
    Range all = new Range(Space.OUTPUT, 0, shape.bytes());
    for (int distance = 1; distance < shape.size(); distance++) {
      program.send((rank + distance) % shape.size(), program.own(all));
    }
    new InOrder(program, shape, rank).reduce(all);
  }

  private static void barrier(Program program, Shape shape, int rank) {
    for (int distance = 1; distance < shape.size(); distance++) {
      program.signal((rank + distance) % shape.size());
    }
    for (int distance = 1; distance < shape.size(); distance++) {
      program.await(Math.floorMod(rank - distance, shape.size()));
    }
  }

  private static void broadcast(Program program, Shape shape, int rank) {
    Range all = new Range(Space.OUTPUT, 0, shape.bytes());
    if (rank != shape.root()) {
      program.recv(shape.root(), all);
      return;
    }
    for (int distance = 1; distance < shape.size(); distance++) {
      program.send((rank + distance) % shape.size(), program.own(all));
    }
    program.copyOwn(all);
  }

  private static void allgather(Program program, Shape shape, int rank) {
    Partition blocks = Partition.chunks(shape);
    Range own = blocks.part(rank);
    for (int distance = 1; distance < shape.size(); distance++) {
      program.send((rank + distance) % shape.size(), program.own(own));
    }
    for (int distance = 1; distance < shape.size(); distance++) {
      int peer = Math.floorMod(rank - distance, shape.size());
      program.recv(peer, program.result(blocks.part(peer)));
    }
    program.copyOwn(own);
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || (shape.bytes() == 0 && collective != Collective.BARRIER)) {
      return Cost.NOTHING;
    }
    long others = shape.size() - 1L;
    long each = collective == Collective.ALLGATHER ? shape.bytes() / shape.size() : shape.bytes();
    long reduced = collective == Collective.ALLREDUCE ? others * each : 0;
    long messages = collective == Collective.BARRIER ? 1 : shape.messages(each);
    long bytes = others * each;
    return new Cost(others, others * messages, bytes, bytes, reduced).queueing(others - 1);
  }
}
