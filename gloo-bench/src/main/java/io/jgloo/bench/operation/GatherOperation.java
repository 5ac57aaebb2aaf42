package io.jgloo.bench.operation;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.Collective;
import java.util.ArrayList;
import java.util.List;

/** The root ends with all ranks' blocks. */
final class GatherOperation extends BlockOperation {

  GatherOperation(Collective collective) {
    super(collective);
  }

  @Override
  long inputCount(View view) {
    return length(view, view.rank());
  }

  @Override
  long outputCount(View view) {
    if (isRoot(view)) {
      return view.count();
    }
    return view.work().inPlace() ? length(view, view.rank()) : 0;
  }

  @Override
  List<Block> input(View view) {
    boolean inItsPlace = view.work().inPlace() && isRoot(view);
    return List.of(block(view, view.rank(), inItsPlace, view.of(view.rank())));
  }

  @Override
  List<Block> expected(View view) {
    if (!isRoot(view)) {
      return view.work().inPlace() ? input(view) : List.of();
    }
    List<Block> blocks = new ArrayList<>();
    for (int rank = 0; rank < view.size(); rank++) {
      blocks.add(block(view, rank, true, view.of(rank)));
    }
    return blocks;
  }

  @Override
  void call(ProcessGroup group, View view, Ends ends) {
    Payload input = ends.input().payload();
    Payload output = ends.output().payload();
    int root = view.work().root();
    if (uneven() && view.work().inPlace()) {
      group.gatherv(output, counts(view), root);
    } else if (uneven()) {
      group.gatherv(input, output, counts(view), root);
    } else if (view.work().inPlace()) {
      group.gather(output, root);
    } else {
      group.gather(input, output, root);
    }
  }
}
