package io.jgloo.bench.operation;

import io.jgloo.ProcessGroup;
import io.jgloo.collectives.Collective;
import java.util.List;
import java.util.Optional;

/** Every rank ends with the reduction of all ranks' vectors. */
final class AllreduceOperation extends VectorOperation {

  @Override
  public String name() {
    return "allreduce";
  }

  @Override
  public Optional<Collective> collective() {
    return Optional.of(Collective.ALLREDUCE);
  }

  @Override
  public boolean reduces() {
    return true;
  }

  @Override
  public double busFactor(int size) {
    return 2.0 * (size - 1) / size;
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
    return List.of(Block.whole(view.count(), view.values()::reduced));
  }

  @Override
  void call(ProcessGroup group, View view, Ends ends) {
    if (view.work().inPlace()) {
      group.allreduce(ends.output().payload(), view.work().op());
    } else {
      group.allreduce(ends.input().payload(), ends.output().payload(), view.work().op());
    }
  }
}
