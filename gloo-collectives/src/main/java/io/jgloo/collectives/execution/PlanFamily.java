package io.jgloo.collectives.execution;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.OneRound;
import io.jgloo.collectives.kernel.Arithmetic;
import io.jgloo.collectives.kernel.ArrayReduction;
import io.jgloo.collectives.kernel.Scaling;
import io.jgloo.transport.Reduction;
import java.util.ArrayDeque;

/**
 * The plans for calls of one kind: what they have in common, and those that are idle.
 *
 * <p>Usually there is one plan; calls of one shape that run at the same time need one each.
 *
 * <p><em>Threads</em>: under the lock of the executor; what is final may be read by any.
 */
final class PlanFamily {

  /** Bound on operations of idle plans, of which one is always kept; some 300 bytes each. */
  static final int IDLE_OPERATIONS = 1 << 14;

  /** Shorter vectors are sent from memory that stays in the cache, with fewer calls. */
  static final long LEAST_ARRAY_BYTES = 32 << 10;

  private final Call asked;
  private final Dialect dialect;
  private final Shape shape;
  private final Algorithm algorithm;
  private final Schedule schedule;
  private final Reduction kernel;
  private final Reduction flipped;
  private final ArrayReduction onArrays;
  private final Scaling beforehand;
  private final Scaling afterwards;
  private final boolean single;
  private final boolean fingerprints;
  private final long high;
  private final long elements;
  private final boolean usesCells;
  private final long digest;
  private final CallKind kind;
  private final ArrayDeque<Plan> idle = new ArrayDeque<>(2);

  /**
   * @throws IllegalArgumentException if the collective has no such algorithm or reduction, or the
   *     two do not go together
   */
  PlanFamily(
      Call call,
      int rank,
      Layout layout,
      Arithmetic arithmetic,
      CostModel costs,
      Dialect dialect,
      boolean cells) {
    this.dialect = dialect;
    asked = call.withoutMemory();
    DataType type = call.type();
    ReduceOp op = call.op();
    shape = call.shape(layout);
    algorithm = algorithm(call, layout, costs, dialect, cells);
    usesCells = cells && algorithm instanceof OneRound && CellBoard.fits(shape, op);
    schedule = algorithm.schedule(shape, rank);
    kernel = op == null ? null : arithmetic.kernel(type, op);
    flipped = op == null ? null : arithmetic.flipped(type, op);
    boolean isLong = shape.bytes() >= LEAST_ARRAY_BYTES;
    onArrays = op == null || !isLong ? null : arithmetic.onArrays(type, op).orElse(null);
    beforehand = op == null ? null : arithmetic.before(type, op).orElse(null);
    single = op != null && isSingle(call.collective(), rank, layout.size());
    afterwards = op == null ? null : afterwards(arithmetic, layout.size());
    long[] agreed = call.collective() == Collective.ALLTOALLV ? null : call.sent();
    fingerprints = dialect.fingerprints();
    high = fingerprints ? Fingerprint.high(shape, type, op, agreed, algorithm) : 0;
    elements = shape.count() * (op == null ? 1 : op.width());
    digest = Driver.mix(high) ^ elements;
    kind = CallKind.of(call, shape, algorithm.name());
  }

  /**
   * The algorithm for a call: the one asked for, or the one the dialect takes. Does not depend on
   * the rank's own choice to work in place, so that all ranks choose alike.
   *
   * @param cells whether all ranks use cells
   */
  static Algorithm algorithm(
      Call call, Layout layout, CostModel costs, Dialect dialect, boolean cells) {
    Shape shape = agreed(call, layout);
    Algorithm algorithm = dialect.algorithm(call, shape, costs);
    if (cells && call.algorithm() == null) {
      boolean calibrated = !costs.equals(CostModel.DEFAULT);
      algorithm = CellBoard.choose(algorithm, shape, call.op(), calibrated);
    }
    boolean ordered = call.op() != null && !call.op().commutative();
    if (ordered && !algorithm.ordered()) {
      throw new IllegalArgumentException(
          ("algorithm " + algorithm.name() + " changes the order of operands,")
              + (" which " + call.op() + " does not allow"));
    }
    return algorithm;
  }

  /** The algorithm for a call, and why. */
  static String explanation(
      Call call, Layout layout, CostModel costs, Dialect dialect, boolean cells) {
    Algorithm algorithm = algorithm(call, layout, costs, dialect, cells);
    Shape shape = agreed(call, layout);
    boolean free = cells && call.algorithm() == null;
    boolean onCells = algorithm instanceof OneRound && CellBoard.fits(shape, call.op());
    String reason = dialect.reason(call, shape, costs);
    if (free && onCells) {
      reason = "on cells: all ranks share memory, and the messages are short";
    } else if (free && algorithm != dialect.algorithm(call, shape, costs)) {
      reason = "all ranks share memory";
    }
    return algorithm.name() + ", " + reason;
  }

  private static Shape agreed(Call call, Layout layout) {
    Shape shape = call.shape(layout);
    return call.collective() == Collective.ALLTOALLV ? shape : shape.withInPlace(true);
  }

  private static boolean isSingle(Collective collective, int rank, int size) {
    return switch (collective) {
      case SCAN -> rank == 0;
      case EXSCAN -> rank == 1;
      default -> size == 1;
    };
  }

  private Scaling afterwards(Arithmetic arithmetic, int size) {
    DataType type = asked.type();
    ReduceOp op = asked.op();
    return (single ? arithmetic.single(type, op) : arithmetic.after(type, op, size)).orElse(null);
  }

  /** Whether these plans do what the call asks. */
  boolean serves(Call call) {
    return asked.isLike(call);
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

  /** The kernel, with the threads noted that are inside it if it calls a user's Java function. */
  Reduction calls(FunctionThreads functions, Reduction kernel) {
    ReduceOp op = asked.op();
    boolean isJava = op != null && op.function() != null && !(op.function() instanceof Long);
    return isJava ? functions.noted(kernel) : kernel;
  }

  /** Whether its runs are done on cells; the same at all ranks. */
  boolean usesCells() {
    return usesCells;
  }

  Schedule schedule() {
    return schedule;
  }

  Reduction kernel() {
    return kernel;
  }

  /** The kernel for operations whose source comes first. */
  Reduction flipped() {
    return flipped;
  }

  /** The kernel on arrays, or null. */
  ArrayReduction onArrays() {
    return onArrays;
  }

  /** Whether what lies in arrays may be left there: if the pairs send it from there. */
  boolean mayWorkOnArrays() {
    return (asked.op() == null || onArrays != null) && shape.bytes() >= LEAST_ARRAY_BYTES;
  }

  /** What is done to a contribution before it is combined, or null. */
  Scaling beforehand() {
    return beforehand;
  }

  /** What is done to the result, or null. */
  Scaling afterwards() {
    return afterwards;
  }

  /** Whether the result at this rank is one contribution, as no other is combined with it. */
  boolean isSingle() {
    return single;
  }

  /** Where contributions lie. */
  Space contribution() {
    return asked.inPlace() ? Space.OUTPUT : Space.INPUT;
  }

  /** The slot of the messages of a call with that tag and number. */
  long slot(long tag, long sequence) {
    return dialect.slot(asked.collective(), tag, sequence);
  }

  /** Second word of a call's fingerprint. */
  long low(long past) {
    if (!fingerprints) {
      return 0;
    }
    return (past << Fingerprint.COUNT_BITS) | (elements & Fingerprint.COUNT_MASK);
  }

  /** First word of the fingerprint. */
  long high() {
    return high;
  }

  /** Both words of the fingerprint in one. */
  long digest() {
    return digest;
  }

  /** What its calls are in the record of calls. */
  CallKind kind() {
    return kind;
  }

  /** For people: {@code allreduce(ring)}. */
  String operation() {
    return asked.collective().label() + "(" + algorithm.name() + ")";
  }
}
