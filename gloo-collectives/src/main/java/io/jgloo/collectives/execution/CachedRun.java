package io.jgloo.collectives.execution;

import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Space;
import io.jgloo.transport.Reduction;
import java.util.function.Function;

/**
 * A run of a collective, made once for a kind of calls and kept by the {@link PlanCache}: a
 * schedule with its operands, whose messages are requests ({@link Plan}) or cells ({@link
 * CellPlan}).
 *
 * <p><em>Threads</em>: as {@link Run}.
 */
abstract class CachedRun extends Run {

  final PlanFamily family;
  final PlanCache cache;
  final Schedule schedule;
  final Operand input;
  final Operand output;
  final Operand scratch;
  private final Reduction kernel;
  private final Reduction flipped;

  CachedRun(PlanFamily family, PlanCache cache, Driver driver, Function<Space, Operand> operands) {
    super(driver);
    this.family = family;
    this.cache = cache;
    schedule = family.schedule();
    kernel = family.calls(driver.functions(), family.kernel());
    flipped = family.calls(driver.functions(), family.flipped());
    input = operands.apply(Space.INPUT);
    output = operands.apply(Space.OUTPUT);
    scratch = operands.apply(Space.SCRATCH);
  }

  /** Takes the call's memory, and what else it needs. */
  abstract void bind(Call call);

  final Operand operand(Space space) {
    return switch (space) {
      case INPUT -> input;
      case OUTPUT -> output;
      case SCRATCH -> scratch;
    };
  }

  /** What an operation that reduces does. */
  final Reduction kernel(int op) {
    return schedule.sourceFirst(op) ? flipped : kernel;
  }

  @Override
  final void release() {
    input.release();
    output.release();
    scratch.release();
  }

  @Override
  final CallKind kind() {
    return family.kind();
  }

  @Override
  final long digest() {
    return family.digest();
  }

  @Override
  final String operation() {
    return family.operation();
  }
}
