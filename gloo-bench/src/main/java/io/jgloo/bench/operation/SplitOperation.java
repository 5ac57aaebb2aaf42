package io.jgloo.bench.operation;

import io.jgloo.ProcessGroup;
import io.jgloo.bench.operation.Trial.Findings;
import io.jgloo.collectives.ReduceOp;

/**
 * A split into groups of eight neighbours, a barrier in each, and its end.
 *
 * <p>Not among all operations: each call opens and closes connections.
 */
final class SplitOperation implements Operation {
  private static final int PART = 8;

  @Override
  public String name() {
    return "split";
  }

  @Override
  public boolean sized() {
    return false;
  }

  @Override
  public boolean amongAll() {
    return false;
  }

  @Override
  public Trial trial(ProcessGroup group, Workload work, long count) {
    return new SplitTrial(group);
  }

  private record SplitTrial(ProcessGroup group) implements Trial {
    /** The ranks of a part are this rank's neighbours, in the order of their ranks. */
    @Override
    public void verify(int round, Findings findings) {
      int first = group.rank() - group.rank() % PART;
      int size = Math.min(PART, group.size() - first);
      try (ProcessGroup part = split()) {
        if (part.size() != size || part.rank() != group.rank() - first) {
          findings.wrong(
              "rank "
                  + part.rank()
                  + " of "
                  + part.size()
                  + ", expected rank "
                  + (group.rank() - first)
                  + " of "
                  + size);
          return;
        }
        long[] sum = {group.rank() + (long) round};
        part.allreduce(sum, ReduceOp.SUM);
        long expected = (long) size * (first + round) + size * (size - 1L) / 2;
        if (sum[0] != expected) {
          findings.wrong("the sum of the ranks is " + sum[0] + ", expected " + expected);
        }
      }
    }

    @Override
    public void call() {
      try (ProcessGroup part = split()) {
        part.barrier();
      }
    }

    private ProcessGroup split() {
      return group.split(group.rank() / PART, group.rank()).orElseThrow();
    }
  }
}
