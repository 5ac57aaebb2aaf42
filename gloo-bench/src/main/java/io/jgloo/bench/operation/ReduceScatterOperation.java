package io.jgloo.bench.operation;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.ReduceOp;
import java.util.List;

/** Every rank ends with its block of the reduction of all ranks' vectors. */
final class ReduceScatterOperation extends BlockOperation {

  ReduceScatterOperation(Collective collective) {
    super(collective);
  }

  @Override
  boolean repeatsInPlace() {
    return false;
  }

  @Override
  long outputCount(View view) {
    return view.work().inPlace() ? view.count() : length(view, view.rank());
  }

  @Override
  List<Block> input(View view) {
    return List.of(Block.whole(view.count(), view.of(view.rank())));
  }

  @Override
  List<Block> expected(View view) {
    return List.of(block(view, view.rank(), false, view.values()::reduced));
  }

  @Override
  void call(ProcessGroup group, View view, Ends ends) {
    Payload input = ends.input().payload();
    Payload output = ends.output().payload();
    ReduceOp op = view.work().op();
    if (uneven() && view.work().inPlace()) {
      group.reduceScatterv(output, counts(view), op);
    } else if (uneven()) {
      group.reduceScatterv(input, output, counts(view), op);
    } else if (view.work().inPlace()) {
      group.reduceScatter(output, op);
    } else {
      group.reduceScatter(input, output, op);
    }
  }
}
