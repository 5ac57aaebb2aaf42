package io.jgloo.collectives.verify;

import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import java.util.Arrays;

/** The byte ranges of one rank's operations that have been issued and not completed. */
final class InFlight {
  private final Network network;
  private final Schedule schedule;
  private int[] op = new int[16];
  private Space[] space = new Space[16];
  private boolean[] writes = new boolean[16];
  private long[] start = new long[16];
  private long[] end = new long[16];
  private int count;

  InFlight(Network network, int rank) {
    this.network = network;
    this.schedule = network.schedule(rank);
  }

  /**
   * An operation is issued; throws if it touches what another one in flight writes, or writes it.
   */
  void add(int added) {
    if (schedule.isSignal(added)) {
      return; // its bytes are not used
    }
    Schedule.Kind kind = schedule.kind(added);
    int before = count;
    if (!kind.isMessage()) {
      long source = schedule.sourceOffset(added);
      check(before, added, schedule.sourceSpace(added), source, false);
      push(added, schedule.sourceSpace(added), source, false);
    }
    boolean writing = kind != Schedule.Kind.SEND;
    check(before, added, schedule.space(added), schedule.offset(added), writing);
    push(added, schedule.space(added), schedule.offset(added), writing);
  }

  /** An operation has completed. */
  void remove(int removed) {
    for (int i = count - 1; i >= 0; i--) {
      if (op[i] == removed) {
        count--;
        op[i] = op[count];
        space[i] = space[count];
        writes[i] = writes[count];
        start[i] = start[count];
        end[i] = end[count];
      }
    }
  }

  private void check(int among, int added, Space in, long from, boolean writing) {
    long to = from + schedule.length(added);
    for (int i = 0; i < among; i++) {
      if (from < end[i] && start[i] < to && space[i] == in && (writing || writes[i])) {
        int base = network.base(schedule.rank());
        throw network.fault(
            base + added, "touches bytes in flight of " + network.describe(base + op[i]));
      }
    }
  }

  private void push(int added, Space in, long from, boolean writing) {
    if (count == op.length) {
      op = Arrays.copyOf(op, count * 2);
      space = Arrays.copyOf(space, count * 2);
      writes = Arrays.copyOf(writes, count * 2);
      start = Arrays.copyOf(start, count * 2);
      end = Arrays.copyOf(end, count * 2);
    }
    op[count] = added;
    space[count] = in;
    writes[count] = writing;
    start[count] = from;
    end[count] = from + schedule.length(added);
    count++;
  }
}
