package io.jgloo.collectives;

import io.jgloo.collectives.Program.Order;
import java.util.ArrayList;
import java.util.List;

/** A schedule made operation by operation, with the dependencies one says and no others. */
public final class HandMadeSchedule {
  private final Shape shape;
  private final int rank;
  private final Operations operations = new Operations();
  private final List<int[]> predecessors = new ArrayList<>();
  private final long scratchBytes;

  public HandMadeSchedule(Shape shape, int rank, long scratchBytes) {
    this.shape = shape;
    this.rank = rank;
    this.scratchBytes = scratchBytes;
  }

  public HandMadeSchedule message(Schedule.Kind kind, int peer, Range range, int... after) {
    operations.add(kind, peer, range, range, Order.TARGET_FIRST);
    predecessors.add(after);
    return this;
  }

  public HandMadeSchedule local(Schedule.Kind kind, Range target, Range source, int... after) {
    operations.add(kind, rank, target, source, Order.TARGET_FIRST);
    predecessors.add(after);
    return this;
  }

  public HandMadeSchedule inOrder(int earlier, int later) {
    operations.issueNext(earlier, later);
    return this;
  }

  public Schedule schedule() {
    IntList starts = new IntList();
    IntList all = new IntList();
    for (int[] after : predecessors) {
      starts.add(all.size());
      for (int earlier : after) {
        all.add(earlier);
      }
    }
    starts.add(all.size());
    return new Schedule(shape, rank, operations, scratchBytes, starts.toArray(), all.toArray());
  }
}
