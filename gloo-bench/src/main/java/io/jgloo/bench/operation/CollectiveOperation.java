package io.jgloo.bench.operation;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.bench.operation.VectorOperation.Block;
import io.jgloo.bench.operation.VectorOperation.Block.Content;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.ReduceOp;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * A collective on vectors that stay whole (allreduce, broadcast, reduce, scan, exscan), or that are
 * cut into a block for each rank: allgather, gather, scatter, reduceScatter, alltoall, and the
 * forms of them that take counts.
 *
 * <p>A size is that of all blocks. Those of collectives that take counts are cut in proportions 1,
 * 2 and 0, round again. In an alltoallv the length of a block depends on the sum of its two ranks,
 * so that they can exchange it in place.
 */
final class CollectiveOperation extends VectorOperation {
  private final Collective collective;
  private final Reductions reductions = new Reductions();

  CollectiveOperation(Collective collective) {
    this.collective = collective;
  }

  @Override
  public Optional<Collective> collective() {
    return Optional.of(collective);
  }

  /** Whether a vector is cut into a block for each rank. */
  private boolean isCut() {
    return switch (collective) {
      case ALLREDUCE, BROADCAST, REDUCE, SCAN, EXSCAN -> false;
      default -> true;
    };
  }

  private boolean isAlltoall() {
    return collective == Collective.ALLTOALL || collective == Collective.ALLTOALLV;
  }

  private boolean isScan() {
    return collective == Collective.SCAN || collective == Collective.EXSCAN;
  }

  @Override
  public boolean accepts(ReduceOp op) {
    return !(isScan() && op.averages());
  }

  @Override
  public double busFactor(int size) {
    double share = (size - 1.0) / size;
    return isCut() ? share : collective == Collective.ALLREDUCE ? 2 * share : 1;
  }

  @Override
  public long count(long wanted, int size) {
    return !isCut() || collective.uneven() ? wanted : Math.max(1, wanted / size) * size;
  }

  @Override
  long askedCount(View view) {
    return isCut()
        ? IntStream.range(0, view.size()).mapToLong(rank -> length(view, rank)).max().orElse(0)
        : view.count();
  }

  @Override
  boolean inPlace(Workload work) {
    return work.inPlace() || collective == Collective.BROADCAST;
  }

  @Override
  boolean repeatsInPlace() {
    return !isAlltoall() && !collective.reduces();
  }

  private boolean gathers() {
    return switch (collective) {
      case ALLGATHER, ALLGATHERV, GATHER, GATHERV -> true;
      default -> false;
    };
  }

  /** First element of a rank's block; for the number of ranks, one past the last one's. */
  private long first(View view, int rank) {
    if (!collective.uneven()) {
      return view.count() / view.size() * rank;
    }
    // count * (shares before the rank) / (all shares), without overflow
    long all = shares(view.size());
    long before = shares(rank);
    return view.count() / all * before + view.count() % all * before / all;
  }

  /** Proportions 1, 2, 0 summed up. */
  private static long shares(int ranks) {
    return ranks / 3 * 3L + (ranks % 3 == 0 ? 0 : ranks % 3 * 2 - 1);
  }

  private long length(View view, int rank) {
    return first(view, rank + 1) - first(view, rank);
  }

  /** First element of what a rank of an alltoall sends to another and gets from there. */
  private long firstOf(View view, int from, int to) {
    if (!collective.uneven()) {
      return first(view, to);
    }
    long share = Math.max(1, view.count() / view.size());
    long first = 0;
    for (int rank = 0; rank < to; rank++) {
      first += (from + rank + 1) % 3 * share;
    }
    return first;
  }

  /** Elements of each rank's block; in an alltoall of those that this rank exchanges with each. */
  private long[] counts(View view) {
    long[] counts = new long[view.size()];
    for (int rank = 0; rank < counts.length; rank++) {
      counts[rank] =
          isAlltoall()
              ? firstOf(view, view.rank(), rank + 1) - firstOf(view, view.rank(), rank)
              : length(view, rank);
    }
    return counts;
  }

  @Override
  long inputCount(View view) {
    if (isAlltoall()) {
      return firstOf(view, view.rank(), view.size());
    } else if (gathers()) {
      return length(view, view.rank());
    }
    return collective.fromRoot() && !view.isRoot() ? 0 : view.count();
  }

  @Override
  long outputCount(View view) {
    long own = length(view, view.rank());
    boolean inPlace = view.work().inPlace();
    return switch (collective) {
      case REDUCE -> view.isRoot() || inPlace ? view.count() : 0;
      case GATHER, GATHERV -> view.isRoot() ? view.count() : inPlace ? own : 0;
      case SCATTER, SCATTERV -> inPlace && view.isRoot() ? view.count() : own;
      case REDUCE_SCATTER, REDUCE_SCATTERV -> inPlace ? view.count() : own;
      case ALLTOALL, ALLTOALLV -> inputCount(view);
      default -> view.count();
    };
  }

  @Override
  List<Block> input(View view) {
    if (gathers()) {
      boolean inItsPlace = view.work().inPlace() && (view.isRoot() || !collective.rooted());
      return List.of(block(view, view.rank(), inItsPlace, view.of(view.rank())));
    }
    long count = inputCount(view);
    return collective.fromRoot() && !view.isRoot()
        ? List.of()
        : List.of(Block.whole(count, view.of(view.rank())));
  }

  @Override
  List<Block> expected(View view) {
    return switch (collective) {
      case ALLGATHER, ALLGATHERV -> all(view);
      case GATHER, GATHERV ->
          view.isRoot() ? all(view) : view.work().inPlace() ? input(view) : List.of();
      case SCATTER, SCATTERV ->
          view.work().inPlace() && view.isRoot()
              ? input(view)
              : List.of(block(view, view.rank(), false, view.of(view.work().root())));
      case REDUCE_SCATTER, REDUCE_SCATTERV ->
          List.of(block(view, view.rank(), false, view.values()::reduced));
      case ALLTOALL, ALLTOALLV ->
          IntStream.range(0, view.size()).mapToObj(rank -> exchanged(view, rank)).toList();
      case BROADCAST -> List.of(Block.whole(view.count(), view.of(view.work().root())));
      case REDUCE ->
          view.isRoot()
              ? reduced(view, view.size())
              : view.work().inPlace() ? input(view) : List.of();
      case SCAN -> reduced(view, view.rank() + 1);
      case EXSCAN -> reduced(view, view.rank());
      default -> reduced(view, view.size());
    };
  }

  /** A rank's block, in its place among all blocks or alone in a vector. */
  private Block block(View view, int rank, boolean inItsPlace, Block.Content content) {
    long first = first(view, rank);
    return new Block(inItsPlace ? first : 0, length(view, rank), first, content);
  }

  private List<Block> all(View view) {
    return IntStream.range(0, view.size())
        .mapToObj(rank -> block(view, rank, true, view.of(rank)))
        .toList();
  }

  /** The reduction of the vectors of the ranks before one. */
  private List<Block> reduced(View view, int end) {
    Values values = view.values();
    if (end == 0) {
      return List.of();
    }
    return List.of(
        Block.whole(
            view.count(),
            end == view.size()
                ? reductions.of(values, view.count())
                : (index, round) -> values.reduced(end, index, round)));
  }

  private Block exchanged(View view, int rank) {
    long first = firstOf(view, view.rank(), rank);
    long length = firstOf(view, view.rank(), rank + 1) - first;
    return new Block(first, length, firstOf(view, rank, view.rank()), view.of(rank));
  }

  @Override
  void call(ProcessGroup group, View view, Ends ends) {
    Payload output = ends.output().payload();
    if (inPlace(view.work())) {
      callInPlace(group, view, output);
    } else {
      call(group, view, ends.input().payload(), output);
    }
  }

  private void callInPlace(ProcessGroup group, View view, Payload vector) {
    Workload work = view.work();
    switch (collective) {
      case ALLREDUCE -> group.allreduce(vector, work.op());
      case BROADCAST -> group.broadcast(vector, work.root());
      case REDUCE -> group.reduce(vector, work.op(), work.root());
      case SCAN -> group.scan(vector, work.op());
      case EXSCAN -> group.exscan(vector, work.op());
      case ALLGATHER -> group.allgather(vector);
      case ALLGATHERV -> group.allgatherv(vector, counts(view));
      case GATHER -> group.gather(vector, work.root());
      case GATHERV -> group.gatherv(vector, counts(view), work.root());
      case SCATTER -> group.scatter(vector, work.root());
      case SCATTERV -> group.scatterv(vector, counts(view), work.root());
      case REDUCE_SCATTER -> group.reduceScatter(vector, work.op());
      case REDUCE_SCATTERV -> group.reduceScatterv(vector, counts(view), work.op());
      case ALLTOALL -> group.alltoall(vector);
      case ALLTOALLV -> group.alltoallv(vector, counts(view));
      default -> throw new AssertionError(collective);
    }
  }

  private void call(ProcessGroup group, View view, Payload input, Payload output) {
    Workload work = view.work();
    switch (collective) {
      case ALLREDUCE -> group.allreduce(input, output, work.op());
      case REDUCE -> group.reduce(input, output, work.op(), work.root());
      case SCAN -> group.scan(input, output, work.op());
      case EXSCAN -> group.exscan(input, output, work.op());
      case ALLGATHER -> group.allgather(input, output);
      case ALLGATHERV -> group.allgatherv(input, output, counts(view));
      case GATHER -> group.gather(input, output, work.root());
      case GATHERV -> group.gatherv(input, output, counts(view), work.root());
      case SCATTER -> group.scatter(input, output, work.root());
      case SCATTERV -> group.scatterv(input, output, counts(view), work.root());
      case REDUCE_SCATTER -> group.reduceScatter(input, output, work.op());
      case REDUCE_SCATTERV -> group.reduceScatterv(input, output, counts(view), work.op());
      case ALLTOALL -> group.alltoall(input, output);
      case ALLTOALLV -> group.alltoallv(input, counts(view), output, counts(view));
      default -> throw new AssertionError(collective);
    }
  }

  /**
   * The reductions of all ranks' elements, computed once for the ranks that are threads of a
   * process: an element takes a step for each rank, so that hundreds of ranks on few cores computed
   * for a minute what they compared in a moment.
   *
   * <p><i>Threads</i>: any.
   */
  static final class Reductions {

    /** Tables that are kept, of 1 MiB each at most: ranks may be a round apart. */
    private static final int KEPT = 4;

    private record Key(Values values, int round, int length) {}

    private final Map<Key, long[]> tables = new ConcurrentHashMap<>();

    /** What a vector of so many elements must contain; used by one thread. */
    Content of(Values values, long count) {
      int length = (int) Math.min(Pattern.PERIOD, count);
      return new Content() {
        private Key key;
        private long[] table;

        @Override
        public long bits(long index, int round) {
          if (key == null || key.round != round) {
            key = new Key(values, round, length);
            table = table(key);
          }
          return table[(int) index];
        }
      };
    }

    private long[] table(Key key) {
      if (tables.size() >= KEPT && !tables.containsKey(key)) {
        tables.clear();
      }
      return tables.computeIfAbsent(key, Reductions::computed);
    }

    private static long[] computed(Key key) {
      long[] table = new long[key.length];
      for (int index = 0; index < table.length; index++) {
        table[index] = key.values.reduced(index, key.round);
      }
      return table;
    }
  }
}
