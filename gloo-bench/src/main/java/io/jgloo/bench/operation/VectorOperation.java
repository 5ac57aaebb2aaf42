package io.jgloo.bench.operation;

import io.jgloo.ProcessGroup;
import io.jgloo.bench.operation.Trial.Findings;
import io.jgloo.collectives.DataType;
import java.util.List;

/** An operation from vectors to vectors, described by what goes in and what must come out. */
public abstract class VectorOperation implements Operation {

  protected VectorOperation() {}

  /**
   * One rank's view of the operation.
   *
   * @param group whose calls are measured
   * @param count elements of a vector
   */
  record View(ProcessGroup group, Workload work, long count, Values values) {
    int rank() {
      return group.rank();
    }

    int size() {
      return group.size();
    }

    boolean isRoot() {
      return group.rank() == work.root();
    }

    /** What a rank contributes. */
    Block.Content of(int rank) {
      return (index, round) -> values.bits(rank, index, round);
    }
  }

  /**
   * Part of a vector whose content is known.
   *
   * @param first element of the vector
   * @param count elements
   * @param phase which element of the content the first one is
   * @param content what is there
   */
  record Block(long first, long count, long phase, Content content) {

    /** The bits of an element, in a round. */
    @FunctionalInterface
    interface Content {
      long bits(long index, int round);
    }

    static Block whole(long count, Content content) {
      return new Block(0, count, 0, content);
    }

    void fill(Vector vector, DataType type, int round) {
      try (Pattern pattern = pattern(type, round)) {
        pattern.fill(vector, first, count);
      }
    }

    void check(Vector vector, DataType type, int round, Findings findings) {
      try (Pattern pattern = pattern(type, round)) {
        pattern.check(vector, first, count, findings);
      }
    }

    private Pattern pattern(DataType type, int round) {
      return new Pattern(type, phase, count, index -> content.bits(index, round));
    }
  }

  /** The two ends of a call; the same vector if it is in place. */
  record Ends(Vector input, Vector output) {}

  /** Elements of this rank's input. */
  long inputCount(View view) {
    return view.count();
  }

  /** Elements of this rank's output; if it is in place, of the vector that is both. */
  long outputCount(View view) {
    return view.count();
  }

  /** The count that a call of the library gets, to ask which algorithm it takes. */
  long askedCount(View view) {
    return view.count();
  }

  /** Whether input and output are the same vector. */
  boolean inPlace(Workload work) {
    return work.inPlace();
  }

  /** Whether a call in place leaves what the next one can start from with the same result. */
  boolean repeatsInPlace() {
    return true;
  }

  boolean timed(View view) {
    return true;
  }

  /** What goes in at this rank. */
  abstract List<Block> input(View view);

  /** What must come out at this rank. */
  abstract List<Block> expected(View view);

  abstract void call(ProcessGroup group, View view, Ends ends);

  @Override
  public final Trial trial(ProcessGroup group, Workload work, long count) {
    Values values = new Values(work.type(), reduces() ? work.op() : null, group.size());
    ProcessGroup measured = work.measured(group, collective());
    return new VectorTrial(this, new View(measured, work, count, values));
  }

  /** An operation on vectors at one rank, for one size. */
  private static final class VectorTrial implements Trial {

    /** The round of the data that timed calls work on; verified rounds count from 0. */
    private static final int SETTLED = -1;

    /** The "rank" whose data fills an output that nothing has been written to. */
    private static final int NO_RANK = -1;

    private final VectorOperation operation;
    private final View view;
    private final DataType type;
    private final ProcessGroup group;
    private final Ends ends;
    private final boolean inPlace;
    private final long outputCount;

    VectorTrial(VectorOperation operation, View view) {
      this.operation = operation;
      this.view = view;
      type = view.work().type();
      group = view.group();
      inPlace = operation.inPlace(view.work());
      outputCount = operation.outputCount(view);
      Vector output = Vector.of(group, type, outputCount, view.work().memory());
      long inputCount = operation.inputCount(view);
      Vector input = inPlace ? output : Vector.of(group, type, inputCount, view.work().memory());
      ends = new Ends(input, output);
    }

    @Override
    public String algorithm() {
      return operation
          .collective()
          .map(collective -> group.explain(collective, type, operation.askedCount(view)))
          .orElse("");
    }

    @Override
    public boolean timed() {
      return operation.timed(view);
    }

    @Override
    public void call() {
      operation.call(group, view, ends);
    }

    @Override
    public void verify(int round, Findings findings) {
      fill(operation.input(view), round);
      call();
      check(operation.input(view), operation.expected(view), round, findings);
    }

    @Override
    public void settle() {
      fill(settled() ? operation.input(view) : List.of(zeros()), SETTLED);
    }

    @Override
    public void checkSettled(Findings findings) {
      List<Block> zeros = List.of(zeros());
      check(
          settled() ? operation.input(view) : zeros,
          settled() ? operation.expected(view) : zeros,
          SETTLED,
          findings);
    }

    /** Whether calls can be repeated on any data; if not on zeros, which every reduction keeps. */
    private boolean settled() {
      return !inPlace || operation.repeatsInPlace();
    }

    private Block zeros() {
      return Block.whole(outputCount, (index, round) -> 0);
    }

    private void fill(List<Block> input, int round) {
      Values garbage = new Values(type, null, 1);
      Block.whole(outputCount, (index, when) -> garbage.bits(NO_RANK, index, when))
          .fill(ends.output(), type, round);
      for (Block block : input) {
        block.fill(ends.input(), type, round);
      }
    }

    private void check(List<Block> input, List<Block> expected, int round, Findings findings) {
      for (Block block : expected) {
        block.check(ends.output(), type, round, findings);
      }
      if (!inPlace) {
        for (Block block : input) {
          block.check(ends.input(), type, round, findings);
        }
      }
    }

    @Override
    public void close() {
      ends.output().close();
      if (!inPlace) {
        ends.input().close();
      }
    }
  }
}
