package io.jgloo.collectives.verify;

import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Proves of one rank that operations touching the same bytes, one of them writing, never overlap in
 * time: the later one waits, directly or through others, for the earlier one to complete.
 *
 * <p>Proven from the dependencies alone and pair by pair, not in the way the builder derives them,
 * so it holds for every interleaving and catches a mistake of the builder.
 */
final class Races {
  private final Network network;
  private final int base;
  private final Schedule schedule;
  private final long[][] ancestors;

  private Races(Network network, int rank) {
    this.network = network;
    this.base = network.base(rank);
    this.schedule = network.schedule(rank);
    this.ancestors = new long[schedule.operations()][];
  }

  /** Throws if two operations of any rank can be in conflict. */
  public static void check(Network network) {
    for (int rank = 0; rank < network.size(); rank++) {
      Races races = new Races(network, rank);
      races.findAncestors();
      for (Space space : Space.values()) {
        races.check(space);
      }
    }
  }

  private void findAncestors() {
    int operations = schedule.operations();
    for (int op = 0; op < operations; op++) {
      ancestors[op] = new long[(op + 63) / 64];
    }
    for (int op = 0; op < operations; op++) {
      for (int i = 0; i < schedule.successors(op); i++) {
        int later = schedule.successor(op, i);
        if (later <= op) {
          throw network.fault(base + op, "comes before an earlier one, " + network.describe(later));
        }
        long[] set = ancestors[later];
        for (int word = 0; word < ancestors[op].length; word++) {
          set[word] |= ancestors[op][word];
        }
        set[op / 64] |= 1L << (op % 64);
      }
    }
  }

  private void check(Space space) {
    Access[] accesses = accesses(space);
    Arrays.sort(accesses, Comparator.comparingLong(Access::offset));
    for (int i = 0; i < accesses.length; i++) {
      Access one = accesses[i];
      for (int j = i + 1; j < accesses.length && accesses[j].offset < one.end; j++) {
        if (one.writes || accesses[j].writes) {
          checkOrdered(one.op, accesses[j].op);
        }
      }
    }
  }

  private void checkOrdered(int one, int other) {
    int early = Math.min(one, other);
    int late = Math.max(one, other);
    if (early != late && (ancestors[late][early / 64] >>> (early % 64) & 1) == 0) {
      throw network.fault(
          base + late, "may touch bytes in flight of " + network.describe(base + early));
    }
  }

  private Access[] accesses(Space space) {
    Access[] found = new Access[2 * schedule.operations()];
    int count = 0;
    for (int op = 0; op < schedule.operations(); op++) {
      Schedule.Kind kind = schedule.kind(op);
      long length = schedule.length(op);
      if (!schedule.isSignal(op) && schedule.space(op) == space) {
        found[count++] =
            new Access(
                op, schedule.offset(op), schedule.offset(op) + length, kind != Schedule.Kind.SEND);
      }
      if (length > 0 && !kind.isMessage() && schedule.sourceSpace(op) == space) {
        long offset = schedule.sourceOffset(op);
        found[count++] = new Access(op, offset, offset + length, false);
      }
    }
    return Arrays.copyOf(found, count);
  }

  private record Access(int op, long offset, long end, boolean writes) {}
}
