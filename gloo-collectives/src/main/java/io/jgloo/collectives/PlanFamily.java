package io.jgloo.collectives;

import io.jgloo.DataType;
import io.jgloo.ReduceOp;
import io.jgloo.transport.Reduction;
import java.util.ArrayDeque;
import java.util.Objects;

/**
 * The plans for calls of one kind: what they have in common, and those that are idle.
 *
 * <p>Usually there is one plan; calls of one shape that run at the same time need one each.
 *
 * <p><em>Threads</em>: under the lock of the cache; what is final may be read by any.
 */
final class PlanFamily {

  /** Bound on operations of idle plans, of which one is always kept; some 300 bytes each. */
  static final int IDLE_OPERATIONS = 1 << 14;

  private final Collective collective;
  private final DataType type;
  private final ReduceOp op;
  private final long count;
  private final int root;
  private final boolean inPlace;
  private final String algorithmAsked;

  private final Algorithm algorithm;
  private final Schedule schedule;
  private final Reduction kernel;
  private final long high;
  private final ArrayDeque<Plan> idle = new ArrayDeque<>(2);

  /**
   * @throws IllegalArgumentException if the collective has no such algorithm or reduction
   */
  PlanFamily(Call call, int rank, int size, Arithmetic arithmetic) {
    collective = call.collective();
    type = call.type();
    op = call.op();
    count = call.count();
    root = call.root();
    inPlace = call.inPlace();
    algorithmAsked = call.algorithm();
    Shape shape = call.shape(size);
    algorithm = algorithm(call, size);
    schedule = algorithm.schedule(shape, rank);
    kernel = op == null ? null : arithmetic.kernel(type, op);
    high = Fingerprint.high(shape, type, op, algorithm);
  }

  /**
   * The algorithm for a call: the one asked for, or the one predicted to be fastest. Does not
   * depend on the rank's own choice to work in place, so that all ranks choose alike.
   */
  static Algorithm algorithm(Call call, int size) {
    return call.algorithm() != null
        ? Algorithms.named(call.collective(), call.algorithm())
        : Algorithms.select(call.shape(size).withInPlace(true), CostModel.LOOPBACK_TCP);
  }

  /** Whether these plans do what the call asks. */
  boolean serves(Call call) {
    return count == call.count()
        && collective == call.collective()
        && type == call.type()
        && op == call.op()
        && root == call.root()
        && inPlace == call.inPlace()
        && Objects.equals(algorithmAsked, call.algorithm());
  }

  /** An idle plan, or null. */
  Plan take() {
    return idle.pollFirst();
  }

  /** Takes back a plan, unless enough are idle. */
  void give(Plan plan) {
    if (idle.isEmpty() || (idle.size() + 1L) * schedule.operations() <= IDLE_OPERATIONS) {
      idle.addFirst(plan);
    }
  }

  Schedule schedule() {
    return schedule;
  }

  Reduction kernel() {
    return kernel;
  }

  /** First word of the fingerprint. */
  long high() {
    return high;
  }

  /** Both words of the fingerprint in one. */
  long digest() {
    return CallOrder.mix(high) ^ count;
  }

  /** For people: {@code allreduce(ring)}. */
  String operation() {
    return collective.label() + "(" + algorithm.name() + ")";
  }
}
