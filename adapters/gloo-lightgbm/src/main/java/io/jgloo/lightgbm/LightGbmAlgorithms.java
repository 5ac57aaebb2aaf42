package io.jgloo.lightgbm;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.AlgorithmProvider;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Program.Order;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The reduce-scatter that associates operands as LightGBM's own network does, so that models have
 * the same bits: recursive halving up to 10 MiB and for powers of two, a ring for others.
 *
 * <p>Found by the service loader, so it is public; {@link LightGbmNetwork} asks for it by name.
 */
public final class LightGbmAlgorithms implements AlgorithmProvider {

  /** Name of the algorithm. */
  static final String NAME = "lightgbm";

  /** LightGBM's bound, from which on other numbers of ranks than powers of two use a ring. */
  static final long RING_BYTES = 10L << 20;

  /** Used by the service loader. */
  public LightGbmAlgorithms() {}

  @Override
  public List<Algorithm> algorithms() {
    return List.of(new ReduceScatter());
  }

  /** The algorithm; out of place it works in scratch memory as large as the input. */
  record ReduceScatter() implements Algorithm {
    @Override
    public Collective collective() {
      return Collective.REDUCE_SCATTERV;
    }

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Schedule schedule(Shape shape, int rank) {
      Program program = new Program(this, shape, rank);
      Partition blocks = Partition.chunks(shape);
      Range own = blocks.part(rank);
      if (shape.size() == 1) {
        program.copyOwn(own);
        return program.schedule();
      }
      UnaryOperator<Range> place =
          range -> shape.inPlace() ? program.own(range) : range.in(Space.SCRATCH);
      Range all = blocks.parts(0, shape.size());
      program.copy(place.apply(all), program.own(all));
      boolean isPower = Integer.bitCount(shape.size()) == 1;
      if (isPower || shape.bytes() < RING_BYTES) {
        if (halve(program, blocks, place)) {
          return program.schedule();
        }
      } else {
        ring(program, blocks, place);
      }
      program.copy(program.result(own), place.apply(own));
      return program.schedule();
    }

    /**
     * Recursive halving among a power of two of groups of ranks. The last ranks are pairs: the
     * first of a pair takes part for both.
     *
     * @return whether this is the second of a pair, which has received its result
     */
    private static boolean halve(Program program, Partition blocks, UnaryOperator<Range> place) {
      int size = program.shape().size();
      int rank = program.rank();
      int groups = Integer.highestOneBit(size);
      int single = 2 * groups - size; // ranks that are a group of their own
      if (rank >= single) {
        Range all = place.apply(blocks.parts(0, size));
        if ((rank - single) % 2 == 1) {
          program.send(rank - 1, all);
          program.recv(rank - 1, program.result(blocks.part(rank)));
          return true;
        }
        program.recvReduce(rank + 1, all, Order.TARGET_FIRST);
      }
      int group = rank < single ? rank : single + (rank - single) / 2;
      for (int distance = groups / 2; distance > 0; distance /= 2) {
        int peerGroup = group ^ distance;
        int kept = group / distance * distance;
        int sent = peerGroup / distance * distance;
        int peer = leader(peerGroup, single);
        program.send(peer, range(blocks, place, sent, distance, single));
        program.recvReduce(peer, range(blocks, place, kept, distance, single), Order.TARGET_FIRST);
      }
      if (rank >= single) {
        program.send(rank + 1, place.apply(blocks.part(rank + 1)));
      }
      return false;
    }

    /** The first rank of a group; for the number of groups, the number of ranks. */
    private static int leader(int group, int single) {
      return group < single ? group : single + 2 * (group - single);
    }

    private static Range range(
        Partition blocks, UnaryOperator<Range> place, int group, int count, int single) {
      int end = leader(group + count, single);
      return place.apply(blocks.parts(leader(group, single), end));
    }

    private static void ring(Program program, Partition blocks, UnaryOperator<Range> place) {
      int size = program.shape().size();
      int rank = program.rank();
      for (int step = 1; step < size; step++) {
        int sent = Math.floorMod(rank - step, size);
        int received = Math.floorMod(rank - step - 1, size);
        program.send((rank + 1) % size, place.apply(blocks.part(sent)));
        program.recvReduce(
            Math.floorMod(rank - 1, size), place.apply(blocks.part(received)), Order.TARGET_FIRST);
      }
    }

    /** Never compared, as the algorithm is not selected for calls that name none. */
    @Override
    public Cost cost(Shape shape) {
      long steps = shape.doublings() + 1L;
      return new Cost(steps, steps, shape.bytes(), shape.bytes(), shape.bytes());
    }
  }
}
