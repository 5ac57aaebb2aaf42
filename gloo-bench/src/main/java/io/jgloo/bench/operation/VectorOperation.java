package io.jgloo.bench.operation;

import io.jgloo.ProcessGroup;
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
  final boolean inPlace(Workload work) {
    return work.inPlace() || alwaysInPlace();
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
}
