package io.jgloo.bench.operation;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.Collective;
import java.util.List;

/** Every rank ends with its block of the root's vector. */
final class ScatterOperation extends BlockOperation {

  ScatterOperation(Collective collective) {
    super(collective);
  }

  @Override
  long inputCount(View view) {
    return isRoot(view) ? view.count() : 0;
  }

  @Override
  long outputCount(View view) {
    return view.work().inPlace() && isRoot(view) ? view.count() : length(view, view.rank());
  }

  @Override
  List<Block> input(View view) {
    return isRoot(view) ? List.of(Block.whole(view.count(), view.of(view.rank()))) : List.of();
  }

  @Override
  List<Block> expected(View view) {
    return view.work().inPlace() && isRoot(view)
        ? input(view)
        : List.of(block(view, view.rank(), false, view.of(view.work().root())));
  }

  @Override
  void call(ProcessGroup group, View view, Ends ends) {
    Payload input = ends.input().payload();
    Payload output = ends.output().payload();
    int root = view.work().root();
    if (uneven() && view.work().inPlace()) {
      group.scatterv(output, counts(view), root);
    } else if (uneven()) {
      group.scatterv(input, output, counts(view), root);
    } else if (view.work().inPlace()) {
      group.scatter(output, root);
    } else {
      group.scatter(input, output, root);
    }
  }
}
