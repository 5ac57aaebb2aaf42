package io.jgloo.bench.operation;

import io.jgloo.ProcessGroup;
import java.util.List;

/** An operation from vectors to vectors, told by what goes in and what must come out. */
public abstract class VectorOperation implements Operation {

  protected VectorOperation() {}

  /** What one rank is. */
  record View(Seat seat, long count, Values values) {

    int rank() {
      return seat.rank();
    }

    int size() {
      return seat.size();
    }

    Workload work() {
      return seat.work();
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

  /** The count of which a call of the library's speaks, to ask which algorithm it will take. */
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

  boolean timed(Seat seat) {
    return true;
  }

  /** What goes in at this rank. */
  abstract List<Block> input(View view);

  /** What must come out at this rank. */
  abstract List<Block> expected(View view);

  abstract void call(ProcessGroup group, View view, Ends ends);

  @Override
  public final Trial trial(Seat seat, long count) {
    Values values =
        new Values(seat.work().type(), reduces() ? seat.work().op() : null, seat.size());
    return new VectorTrial(this, new View(seat, count, values));
  }
}
