package io.jgloo.collectives;

import io.jgloo.collectives.Program.Order;
import io.jgloo.collectives.Range.Space;
import java.util.Arrays;

/**
 * The operations that a {@link Program} and its views have recorded, with what each must wait for.
 * Peers are ranks of the whole group, ranges those of the rank's own buffers.
 */
final class Steps {
  private static final int NONE = -1;

  private final Shape shape;
  private final int rank;
  private final Dependencies dependencies = new Dependencies();
  private final Operations operations = new Operations();
  private final IntList awaited = new IntList();
  private final int[] lastSent;
  private final int[] lastReceived;
  private long scratchBytes;

  Steps(Shape shape, int rank) {
    this.shape = shape;
    this.rank = rank;
    this.lastSent = new int[shape.size()];
    this.lastReceived = new int[shape.size()];
    Arrays.fill(lastSent, NONE);
    Arrays.fill(lastReceived, NONE);
  }

  /** The operation recorded next reads the range. */
  void reads(Range range) {
    check(range);
    dependencies.read(range);
  }

  /** The operation recorded next writes the range. */
  void writes(Range range) {
    check(range);
    if (range.space() == Space.INPUT) {
      throw new IllegalArgumentException("writes " + range);
    }
    dependencies.write(range);
  }

  /** Refuses ranges that the rank's buffers do not have; scratch memory grows. */
  void check(Range range) {
    if (range.space() == Space.SCRATCH) {
      scratchBytes = Math.max(scratchBytes, range.end());
    } else if (range.space() == Space.INPUT && shape.inPlace()) {
      throw new IllegalArgumentException("there is no input in place: " + range);
    } else {
      boolean input = range.space() == Space.INPUT;
      long bytes = input ? shape.inputBytes(rank) : shape.outputBytes(rank);
      if (range.end() > bytes) {
        throw new IllegalArgumentException(range + " of " + bytes + " bytes");
      }
    }
  }

  void message(Schedule.Kind kind, int peer, Range range, Order order) {
    if (peer < 0 || peer >= shape.size() || peer == rank) {
      throw new IllegalArgumentException("peer = " + peer + " at rank " + rank);
    }
    int[] last = kind == Schedule.Kind.SEND ? lastSent : lastReceived;
    int operation = operations.add(kind, peer, range, range, order);
    if (last[peer] != NONE) {
      operations.issueNext(last[peer], operation);
    }
    last[peer] = operation;
    dependencies.next();
  }

  void local(Schedule.Kind kind, Range target, Range source, Order order) {
    reads(source);
    writes(target);
    operations.add(kind, rank, target, source, order);
    dependencies.next();
  }

  /** The operation recorded next waits for everything awaited so far. */
  void afterAwaited() {
    for (int i = 0; i < awaited.size(); i++) {
      dependencies.after(awaited.get(i));
    }
  }

  /** The operation recorded next is one that signals wait for. */
  void nextIsAwaited() {
    awaited.add(operations.count());
  }

  Schedule schedule() {
    return new Schedule(
        shape, rank, operations, scratchBytes, dependencies.starts(), dependencies.predecessors());
  }
}
