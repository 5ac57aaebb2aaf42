package io.jgloo.bench.operation;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.Collective;
import java.util.ArrayList;
import java.util.List;

/** Every rank ends with all ranks' blocks. */
final class AllgatherOperation extends BlockOperation {

  AllgatherOperation(Collective collective) {
    super(collective);
  }

  @Override
  long inputCount(View view) {
    return length(view, view.rank());
  }

  @Override
  List<Block> input(View view) {
    return List.of(block(view, view.rank(), view.work().inPlace(), view.of(view.rank())));
  }

  @Override
  List<Block> expected(View view) {
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
    if (uneven() && view.work().inPlace()) {
      group.allgatherv(output, counts(view));
    } else if (uneven()) {
      group.allgatherv(input, output, counts(view));
    } else if (view.work().inPlace()) {
      group.allgather(output);
    } else {
      group.allgather(input, output);
    }
  }
}
