package io.jgloo.collectives.execution;

import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.kernel.Arithmetic;
import java.util.Arrays;

/**
 * Plans that have been made, most recently used first.
 *
 * <p>A scan of an array with the last hit in front: a training loop repeats a handful of shapes,
 * and the shape of the call before is found by one comparison. A hash map would need a key object
 * for each call.
 *
 * <p><em>Threads</em>: any.
 */
final class PlanCache {

  /** Bound on kinds of calls remembered. */
  static final int FAMILIES = 64;

  /** Bound on operations of the plans remembered, some 300 bytes each. */
  static final int OPERATIONS = 1 << 17;

  private final int rank;
  private final Layout layout;
  private final Arithmetic arithmetic;
  private final CostModel costs;
  private final Dialect dialect;
  private final PlanFamily[] families = new PlanFamily[FAMILIES];
  private int count;
  private long operations;
  private CellBoard board; // null if there are no cells

  PlanCache(int rank, Layout layout, Arithmetic arithmetic, CostModel costs, Dialect dialect) {
    this.costs = costs;
    this.dialect = dialect;
    this.rank = rank;
    this.layout = layout;
    this.arithmetic = arithmetic;
  }

  /** Makes plans on cells where they fit, once it is known that all ranks do. */
  void cells(CellBoard its) {
    board = its;
  }

  boolean usesCells() {
    return board != null && board.isUsed();
  }

  /** An idle plan for the call, or null. */
  synchronized Plan take(Call call) {
    PlanFamily family = find(call);
    return family == null ? null : family.take();
  }

  /** Takes back a plan that is idle again. */
  synchronized void give(Plan plan) {
    plan.family.give(plan);
  }

  /**
   * What the plans for the call have in common.
   *
   * @throws IllegalArgumentException if there is no such algorithm or reduction
   */
  synchronized PlanFamily family(Call call) {
    PlanFamily family = find(call);
    if (family == null) {
      family = new PlanFamily(call, rank, layout, arithmetic, costs, dialect, usesCells());
      add(family);
    }
    return family;
  }

  /** The family that serves the call, moved to the front; or null. */
  private PlanFamily find(Call call) {
    for (int i = 0; i < count; i++) {
      PlanFamily family = families[i];
      if (family.serves(call)) {
        if (i > 0) {
          System.arraycopy(families, 0, families, 1, i);
          families[0] = family;
        }
        return family;
      }
    }
    return null;
  }

  /** Puts a new family in front and forgets the oldest ones beyond the bounds. */
  private void add(PlanFamily family) {
    operations += family.schedule().operations();
    while (count == FAMILIES || (count > 0 && operations > OPERATIONS)) {
      count--;
      operations -= families[count].schedule().operations();
      families[count] = null;
    }
    System.arraycopy(families, 0, families, 1, count);
    families[0] = family;
    count++;
  }

  /** Forgets everything. */
  synchronized void clear() {
    Arrays.fill(families, null);
    count = 0;
    operations = 0;
  }

  synchronized int families() {
    return count;
  }
}
