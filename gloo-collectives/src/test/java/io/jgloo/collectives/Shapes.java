package io.jgloo.collectives;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Shapes of every collective, for tests that go through all of them. */
public final class Shapes {
  private Shapes() {}

  /** A vector of {@code count} elements, or a few more if each block is to have as many. */
  public static Shape of(Collective collective, int size, int root, long count, int bytes) {
    long block = (count + size - 1) / size;
    long[] counts = new long[size];
    Arrays.fill(counts, block);
    return switch (collective) {
      case ALLREDUCE -> Shape.allreduce(size, count, bytes);
      case BROADCAST -> Shape.broadcast(size, root, count, bytes);
      case BARRIER -> Shape.barrier(size);
      case ALLGATHER -> Shape.allgather(size, block, bytes);
      case ALLTOALL -> Shape.alltoall(size, block, bytes);
      case ALLTOALLV -> Shape.alltoallv(counts, counts, bytes);
      case GATHER -> Shape.gather(size, root, block, bytes);
      case REDUCE -> Shape.reduce(size, root, count, bytes);
      case REDUCE_SCATTER -> Shape.reduceScatter(size, block, bytes);
      case SCATTER -> Shape.scatter(size, root, block, bytes);
      case SCAN -> Shape.scan(size, count, bytes);
      case EXSCAN -> Shape.exscan(size, count, bytes);
      case ALLGATHERV, GATHERV, REDUCE_SCATTERV, SCATTERV ->
          uneven(collective, root, counts, bytes);
    };
  }

  /**
   * The shapes of all ranks, with block lengths below {@code bound} by chance, many of them 0, if
   * the collective knows blocks of different lengths.
   */
  public static List<Shape> random(
      Collective collective, int size, int root, long bound, int bytes, long segmentBytes) {
    SplittableRandom random = new SplittableRandom(size * 31L + bound);
    long[][] counts = new long[size][];
    for (int rank = 0; rank < size; rank++) {
      counts[rank] =
          random.longs(size, 0, bound).map(count -> count % 4 == 0 ? 0 : count).toArray();
    }
    Shape plain =
        collective.uneven() && collective != Collective.ALLTOALLV
            ? uneven(collective, root, counts[0], bytes)
            : of(collective, size, root, (bound - 1) * size, bytes);
    return collective == Collective.ALLTOALLV
        ? IntStream.range(0, size)
            .mapToObj(rank -> alltoallv(counts, rank, bytes).withSegmentBytes(segmentBytes))
            .toList()
        : Collections.nCopies(size, plain.withSegmentBytes(segmentBytes));
  }

  private static Shape alltoallv(long[][] counts, int rank, int bytes) {
    long[] received = Arrays.stream(counts).mapToLong(of -> of[rank]).toArray();
    return Shape.alltoallv(counts[rank], received, bytes);
  }

  private static Shape uneven(Collective collective, int root, long[] counts, int bytes) {
    return switch (collective) {
      case ALLGATHERV -> Shape.allgatherv(counts, bytes);
      case GATHERV -> Shape.gatherv(root, counts, bytes);
      case REDUCE_SCATTERV -> Shape.reduceScatterv(counts, bytes);
      case SCATTERV -> Shape.scatterv(root, counts, bytes);
      default -> throw new IllegalArgumentException("collective = " + collective);
    };
  }
}
