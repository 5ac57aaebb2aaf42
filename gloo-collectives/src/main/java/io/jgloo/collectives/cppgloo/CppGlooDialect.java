package io.jgloo.collectives.cppgloo;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.execution.Call;
import io.jgloo.collectives.execution.Dialect;
import io.jgloo.collectives.execution.Driver;
import io.jgloo.collectives.execution.Mailbox;
import io.jgloo.collectives.execution.MonitoredBarrier;
import java.util.List;

/**
 * The calls as ranks of C++ Gloo expect them: slots made of the collective and a tag, which is 0
 * unless said.
 *
 * <p>Calls of one tag may follow each other without waiting, since messages of one slot are matched
 * in order; calls at the same time from several threads need different ones.
 */
public final class CppGlooDialect extends Dialect {
  private static final String NAME = "Gloo";

  /** All but what only PyTorch does. */
  private static final List<Algorithm> KNOWN =
      CppGlooAlgorithms.all().stream()
          .filter(algorithm -> !(algorithm instanceof CppGlooSlicedReduceScatter))
          .toList();

  static final long MOST_TAG = 0xffff_ffffL;
  private static final int TAG_SHIFT = 24;
  private static final int PREFIX_SHIFT = 56;

  /** The slot of a collective's messages, which bears Gloo's number of it. */
  static long slot(Collective collective, long tag) {
    long prefix =
        switch (collective) {
          case GATHER, GATHERV -> 1;
          case ALLGATHER, ALLGATHERV -> 2;
          case REDUCE -> 3;
          case ALLREDUCE, REDUCE_SCATTER -> 4; // the latter as PyTorch does it, by an allreduce
          case SCATTER -> 5;
          case BROADCAST -> 6;
          case BARRIER -> 7;
          case ALLTOALL, ALLTOALLV -> 8;
          case SCATTERV, REDUCE_SCATTERV, SCAN, EXSCAN ->
              throw new IllegalArgumentException("collective = " + collective);
        };
    return prefix << PREFIX_SHIFT | tag << TAG_SHIFT;
  }

  @Override
  public Algorithm algorithm(Call call, Shape shape, CostModel costs) {
    return named(KNOWN, call, NAME);
  }

  @Override
  public boolean fingerprints() {
    return false;
  }

  @Override
  public long slot(Collective collective, long tag, long sequence) {
    return slot(collective, Math.max(0, tag));
  }

  @Override
  public MonitoredBarrier monitoredBarrier(Driver driver, Mailbox mailbox, int rank, int size) {
    return timeoutNanos -> {
      throw new UnsupportedOperationException("Gloo has no monitoredBarrier; it has barrier");
    };
  }

  @Override
  public void check(long tag) {}
}
