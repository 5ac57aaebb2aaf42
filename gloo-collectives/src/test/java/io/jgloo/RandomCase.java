package io.jgloo;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.algorithm.Algorithms;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** One random call as all ranks agree on it, with what each contributes and must get. */
final class RandomCase {

  final Collective collective;
  final String algorithm;
  final Elements elements;
  final int size;
  final int root;
  private final long[][] counts; // counts[from][to]; rows alike but for an alltoallv
  private final long seed;

  private RandomCase(Random random, int size) {
    Collective[] all = Collective.values();
    collective = all[random.nextInt(all.length)];
    elements = Elements.random(random, collective);
    this.size = size;
    root = random.nextInt(size);
    counts = counts(random);
    seed = random.nextLong();
    List<Algorithm> algorithms = new ArrayList<>(Algorithms.of(collective));
    algorithms.removeIf(each -> reduces() && !elements.op().commutative() && !each.ordered());
    int choice = random.nextInt(algorithms.size() + 1);
    algorithm = choice == algorithms.size() ? null : algorithms.get(choice).name();
  }

  static RandomCase of(Random random, int size) {
    return new RandomCase(random, size);
  }

  private long[][] counts(Random random) {
    long[][] counts = new long[size][size];
    int even = count(random);
    for (long[] row : counts) {
      for (int to = 0; to < size; to++) {
        row[to] = isUneven() ? (random.nextInt(4) == 0 ? 0 : random.nextInt(2 * even + 1)) : even;
        row[to] -= row[to] % width();
      }
    }
    if (collective != Collective.ALLTOALLV) {
      Arrays.fill(counts, counts[0]);
    } else if (random.nextBoolean()) {
      for (int from = 0; from < size; from++) {
        for (int to = 0; to < from; to++) {
          counts[from][to] = counts[to][from]; // so that it may be done in place
        }
      }
    }
    return counts;
  }

  private int count(Random random) {
    int[] awkward = {0, 1, size - 1, size, size + 1, 7, 63, 1009, 4099};
    boolean whole = !isUneven() && (isVector() || size < 4);
    return switch (random.nextInt(24)) {
      case 0 -> whole ? 70_001 + random.nextInt(10) : 9001;
      case 1 -> whole ? 140_003 : 16_384;
      case 2, 3, 4 -> random.nextInt(3000);
      default -> awkward[random.nextInt(awkward.length)];
    };
  }

  private boolean isVector() {
    return switch (collective) {
      case ALLREDUCE, REDUCE, SCAN, EXSCAN, BROADCAST -> true;
      default -> false;
    };
  }

  boolean isUneven() {
    return collective.name().endsWith("V");
  }

  boolean reduces() {
    return switch (collective) {
      case ALLREDUCE, REDUCE, SCAN, EXSCAN, REDUCE_SCATTER, REDUCE_SCATTERV -> true;
      default -> false;
    };
  }

  private int width() {
    return reduces() ? elements.op().width() : 1;
  }

  /** Elements for each rank. */
  long[] sent(int rank) {
    return counts[rank];
  }

  /** Elements from each rank. */
  long[] received(int rank) {
    long[] column = new long[size];
    for (int from = 0; from < size; from++) {
      column[from] = collective == Collective.ALLTOALLV ? counts[from][rank] : counts[0][from];
    }
    return column;
  }

  private static int start(long[] counts, int rank) {
    return (int) Arrays.stream(counts, 0, rank).sum();
  }

  /** Where a rank's own block begins among all. */
  int start(int rank) {
    return start(counts[0], rank);
  }

  int total() {
    return start(counts[0], size);
  }

  /** What a rank contributes; null if nothing. */
  long[] contribution(int rank) {
    int length =
        switch (collective) {
          case BARRIER -> -1;
          case BROADCAST -> rank == root ? (int) counts[0][0] : -1;
          case SCATTER, SCATTERV -> rank == root ? total() : -1;
          case ALLREDUCE, REDUCE, SCAN, EXSCAN -> (int) counts[0][0];
          case ALLGATHER, ALLGATHERV, GATHER, GATHERV -> (int) counts[0][rank];
          default -> start(counts[rank], size);
        };
    if (length < 0) {
      return null;
    }
    long[] x = new long[length];
    for (int i = 0; i < length; i++) {
      long random = (seed + rank * 1_000_003L + i) * 0x9e3779b97f4a7c15L;
      random = (random ^ (random >>> 29)) * 0xbf58476d1ce4e5b9L;
      x[i] = elements.contribution(random ^ (random >>> 32), size);
    }
    return x;
  }

  /** What a rank must end with; null if with nothing. */
  long[] result(int rank) {
    return switch (collective) {
      case BARRIER -> null;
      case BROADCAST -> contribution(root);
      case ALLREDUCE -> reduce(size);
      case REDUCE -> rank == root ? reduce(size) : null;
      case SCAN -> reduce(rank + 1);
      case EXSCAN -> rank == 0 ? null : reduce(rank);
      case REDUCE_SCATTER, REDUCE_SCATTERV -> block(reduce(size), counts[0], rank);
      case SCATTER, SCATTERV -> block(contribution(root), counts[0], rank);
      case ALLGATHER, ALLGATHERV -> blocks(rank);
      case GATHER, GATHERV -> rank == root ? blocks(rank) : null;
      case ALLTOALL, ALLTOALLV -> blocks(rank);
    };
  }

  private long[] reduce(int ranks) {
    List<long[]> vectors = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      vectors.add(contribution(rank));
    }
    return elements.reduce(vectors);
  }

  private static long[] block(long[] vector, long[] counts, int rank) {
    int start = start(counts, rank);
    return Arrays.copyOfRange(vector, start, start + (int) counts[rank]);
  }

  private long[] blocks(int rank) {
    long[] received = received(rank);
    long[] all = new long[start(received, size)];
    boolean toAll = collective == Collective.ALLTOALL || collective == Collective.ALLTOALLV;
    for (int from = 0; from < size; from++) {
      long[] x = contribution(from);
      long[] block = toAll ? block(x, counts[from], rank) : x;
      System.arraycopy(block, 0, all, start(received, from), block.length);
    }
    return all;
  }

  /** What lies in a rank's one buffer before a call in place; null where there is nothing. */
  long[] before(int rank) {
    long[] own = contribution(rank);
    return switch (collective) {
      case ALLGATHER, ALLGATHERV -> placed(own, rank);
      case GATHER, GATHERV -> rank == root ? placed(own, rank) : own;
      case BROADCAST, SCATTER, SCATTERV -> rank == root ? own : new long[result(rank).length];
      default -> own;
    };
  }

  private long[] placed(long[] own, int rank) {
    long[] all = new long[total()];
    System.arraycopy(own, 0, all, start(rank), own.length);
    return all;
  }

  /** What must lie there after; shorter where the rest is undefined. */
  long[] after(int rank) {
    long[] result = result(rank);
    boolean kept = (collective == Collective.SCATTER || isScatterv()) && rank == root;
    return result == null || kept ? before(rank) : result;
  }

  private boolean isScatterv() {
    return collective == Collective.SCATTERV;
  }

  /** Whether a rank may choose to do it in place. */
  boolean mayBeInPlace(int rank) {
    return collective != Collective.ALLTOALLV || Arrays.equals(sent(rank), received(rank));
  }

  /** Makes the call; in place the output holds what the rank contributes, too. */
  void call(ProcessGroup group, Payload input, Payload output, boolean inPlace, boolean started) {
    ProcessGroup by =
        algorithm == null ? group : group.with(CallOptions.DEFAULTS.algorithm(algorithm));
    if (started) {
      RandomStart start = new RandomStart(this, by, input, output);
      (inPlace ? start.inPlace() : start.outOfPlace()).await();
    } else if (inPlace) {
      new RandomRun(this, by, input, output).inPlace();
    } else {
      new RandomRun(this, by, input, output).outOfPlace();
    }
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s by %s of %s %s%s, root %d of %d",
        collective.label(),
        algorithm,
        collective == Collective.ALLTOALLV
            ? Arrays.deepToString(counts)
            : isUneven() ? Arrays.toString(counts[0]) : "" + counts[0][0],
        elements.type(),
        reduces() ? " " + elements.op() : "",
        root,
        size);
  }
}
