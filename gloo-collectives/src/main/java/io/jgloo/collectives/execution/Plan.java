package io.jgloo.collectives.execution;

import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Schedule.Kind;
import io.jgloo.transport.Reduction;
import io.jgloo.transport.memory.Memory;
import java.util.function.Function;

/**
 * Executes the operations of a schedule: made once for a kind of calls, kept by the {@link
 * Executor}, and run again.
 *
 * <p>How a message moves, and with that the order, is the lane's part: requests complete in any
 * order, so a {@link RequestPlan} issues operations by their dependencies; cells are written and
 * read in place, so a {@link CellPlan} goes through the program. Everything is allocated when a
 * plan is made, nothing in a run.
 *
 * <p><em>Threads</em>: as {@link Run}.
 */
abstract class Plan extends Run {

  final PlanFamily family;
  final Executor executor;
  final Schedule schedule;
  final Operand input;
  final Operand output;
  final Operand scratch;
  final Kind[] kinds; // in the schedule in less memory, as are the next four
  final int[] peerOf;
  final long[] offsets;
  final long[] lengths;
  final long[] sourceOffsets;
  final Operand[] targets;
  final Operand[] sources;
  final Reduction[] kernels; // null for operations that do not reduce
  private final int messages;
  private long tag;

  Plan(PlanFamily family, Executor executor, Driver driver, Function<Space, Operand> operands) {
    super(driver);
    this.family = family;
    this.executor = executor;
    schedule = family.schedule();
    Reduction kernel = family.calls(driver.functions(), family.kernel());
    Reduction flipped = family.calls(driver.functions(), family.flipped());
    input = operands.apply(Space.INPUT);
    output = operands.apply(Space.OUTPUT);
    scratch = operands.apply(Space.SCRATCH);
    int operations = schedule.operations();
    kinds = new Kind[operations];
    offsets = new long[operations];
    lengths = new long[operations];
    peerOf = new int[operations];
    sourceOffsets = new long[operations];
    kernels = new Reduction[operations];
    targets = new Operand[operations];
    sources = new Operand[operations];
    int messageCount = 0;
    for (int op = 0; op < operations; op++) {
      kinds[op] = schedule.kind(op);
      offsets[op] = schedule.offset(op);
      lengths[op] = schedule.length(op);
      peerOf[op] = schedule.peer(op);
      if (kinds[op] == Kind.REDUCE || kinds[op] == Kind.RECV_REDUCE) {
        kernels[op] = schedule.sourceFirst(op) ? flipped : kernel;
      }
      targets[op] = operand(schedule.space(op));
      if (kinds[op].isMessage()) {
        messageCount++;
      } else {
        sources[op] = operand(schedule.sourceSpace(op));
        sourceOffsets[op] = schedule.sourceOffset(op);
      }
    }
    messages = messageCount;
  }

  private Operand operand(Space space) {
    return switch (space) {
      case INPUT -> input;
      case OUTPUT -> output;
      case SCRATCH -> scratch;
    };
  }

  /** Takes the call's memory, and what else it needs. */
  final void bind(Call call) {
    boolean bound = false;
    try {
      tag = call.tag();
      bindOperands(call);
      bound = true;
    } finally {
      if (!bound) {
        release();
      }
    }
  }

  /** Binds the operands to the call's memory and to staging memory. */
  abstract void bindOperands(Call call);

  /** Where a message lies that an operation reads instead of its source, or 0. */
  abstract long cell(int op);

  /** Writes what an operation reads at its source, or in a cell. */
  final void compute(int op) {
    Reduction onto = targets[op].writer(op, kernels[op]);
    long target = targets[op].address() + offsets[op];
    long cell = cell(op);
    if (cell != 0) {
      write(target, cell, lengths[op], onto);
    } else {
      boolean apart = sources[op] != targets[op];
      sources[op].read(op, sourceOffsets[op], lengths[op], target, onto, apart);
    }
  }

  /** Copies or reduces bytes. */
  static void write(long target, long source, long length, Reduction onto) {
    if (onto != null) {
      onto.reduce(target, source, length);
    } else if (length > 0) {
      Memory.copy(source, target, length);
    }
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

  @Override
  final long slot() {
    return family.slot(tag, sequence());
  }

  @Override
  final int steps() {
    return messages;
  }
}
