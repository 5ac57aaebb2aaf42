package io.jgloo.bench.operation;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.ReduceOp;
import java.util.List;
import java.util.Optional;

/** Every rank ends with the reduction of the vectors of the ranks before it, and of its own. */
final class ScanOperation extends VectorOperation {

  private final boolean inclusive;

  /**
   * @param inclusive whether a rank's own vector is in its result; if not rank 0 has none
   */
  ScanOperation(boolean inclusive) {
    this.inclusive = inclusive;
  }

  @Override
  public String name() {
    return inclusive ? "scan" : "exscan";
  }

  @Override
  public Optional<Collective> collective() {
    return Optional.of(inclusive ? Collective.SCAN : Collective.EXSCAN);
  }

  @Override
  public boolean reduces() {
    return true;
  }

  @Override
  public boolean accepts(ReduceOp op) {
    return !op.averages();
  }

  @Override
  public double busFactor(int size) {
    return 1;
  }

  @Override
  boolean repeatsInPlace() {
    return false;
  }

  @Override
  List<Block> input(View view) {
    return List.of(Block.whole(view.count(), view.of(view.rank())));
  }

  @Override
  List<Block> expected(View view) {
    int end = inclusive ? view.rank() + 1 : view.rank();
    Values values = view.values();
    return end == 0
        ? List.of()
        : List.of(Block.whole(view.count(), (index, round) -> values.reduced(end, index, round)));
  }

  @Override
  void call(ProcessGroup group, View view, Ends ends) {
    Payload input = ends.input().payload();
    Payload output = ends.output().payload();
    ReduceOp op = view.work().op();
    if (inclusive && view.work().inPlace()) {
      group.scan(output, op);
    } else if (inclusive) {
      group.scan(input, output, op);
    } else if (view.work().inPlace()) {
      group.exscan(output, op);
    } else {
      group.exscan(input, output, op);
    }
  }
}
