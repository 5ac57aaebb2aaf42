package io.jgloo.collectives.algorithm.alltoall;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.Space;
import java.util.List;

/**
 * Pairwise alltoall: a tournament in which each rank meets every other once and both exchange their
 * blocks, a few meetings at a time; for large blocks and many ranks.
 *
 * <p>P-1 steps for an even P, P for an odd one. Never more than {@value #MEETINGS_AT_A_TIME} peers
 * send to a rank at once, where the linear one floods it. In place only the segments under way are
 * copied. The tournament is the circle method, Kirkman 1847.
 *
 * <p>Drawn: alltoall pairwise, 4 ranks, 4 elements.
 *
 * <pre>{@code
 *           rank 0      rank 1      rank 2      rank 3
 * round 1   d0>3 a3<3   c1>2 b2<2   b2>1 c1<1   a3>0 d0<0
 * round 2   b0>1 a1<1   a1>0 b0<0   d2>3 c3<3   c3>2 d2<2
 * round 3   c0>2 a2<2   d1>3 b3<3   a2>0 c0<0   b3>1 d1<1
 * }</pre>
 *
 * @param collective alltoall or alltoallv
 */
public record PairwiseAlltoall(Collective collective) implements Algorithm {
  private static final int MEETINGS_AT_A_TIME = 4;

  @Override
  public String name() {
    return "pairwise";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    Partition sent = Partition.chunks(shape);
    Partition received = Partition.received(shape);
    int[] ends = new int[rounds(shape.size())];
    for (int round = 0; round < ends.length; round++) {
      int peer = opponent(shape.size(), rank, round);
      if (round >= MEETINGS_AT_A_TIME && ends[round - MEETINGS_AT_A_TIME] >= 0) {
        program.messagesAfter(ends[round - MEETINGS_AT_A_TIME]);
      }
      if (peer != rank) {
        Range given = program.own(sent.part(peer));
        Range got = program.result(received.part(peer));
        if (shape.inPlace()) {
          exchange(program, shape, peer, given, round % MEETINGS_AT_A_TIME);
        } else {
          program.send(peer, given);
          program.recv(peer, got);
        }
      }
      ends[round] = program.last();
    }
    program.copy(program.result(received.part(rank)), program.own(sent.part(rank)));
    return program.schedule();
  }

  /** Exchanges a block for another of its length in the same place. */
  private static void exchange(Program program, Shape shape, int peer, Range block, int slotSet) {
    long slotBytes = (shape.segmentBytes() + 63) / 64 * 64;
    List<Range> segments = program.segments(block);
    for (int segment = 0; segment < segments.size(); segment++) {
      Range range = segments.get(segment);
      long slot = (2L * slotSet + segment % 2) * slotBytes;
      Range copy = new Range(Space.SCRATCH, slot, range.length());
      program.copy(copy, range);
      program.send(peer, copy);
      program.recv(peer, range);
    }
  }

  private static int rounds(int size) {
    return size == 1 ? 0 : size - 1 + size % 2;
  }

  /** The peer of a rank in a round; the rank itself if it has none. */
  private static int opponent(int size, int rank, int round) {
    int ring = rounds(size); // odd; the last of an even number of ranks stands in the middle
    if (rank == ring) {
      return (int) ((long) round * (ring + 1) / 2 % ring);
    }
    int opposite = Math.floorMod(round - rank, ring);
    return opposite == rank && size % 2 == 0 ? ring : opposite;
  }

  @Override
  public Cost cost(Shape shape) {
    int rounds = rounds(shape.size());
    int waiting = (rounds + MEETINGS_AT_A_TIME - 1) / MEETINGS_AT_A_TIME;
    return AlltoallCost.ofBlocks(shape, rounds, waiting);
  }
}
