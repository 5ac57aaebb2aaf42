package io.jgloo.bench.operation;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.Collective;
import java.util.List;
import java.util.Optional;

/** The root ends with the reduction of all ranks' vectors. */
final class ReduceOperation extends VectorOperation {

  @Override
  public String name() {
    return "reduce";
  }

  @Override
  public Optional<Collective> collective() {
    return Optional.of(Collective.REDUCE);
  }

  @Override
  public boolean reduces() {
    return true;
  }

  @Override
  public boolean rooted() {
    return true;
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
  long outputCount(View view) {
    return view.work().inPlace() || isRoot(view) ? view.count() : 0;
  }

  @Override
  List<Block> input(View view) {
    return List.of(Block.whole(view.count(), view.of(view.rank())));
  }

  @Override
  List<Block> expected(View view) {
    if (isRoot(view)) {
      return List.of(Block.whole(view.count(), view.values()::reduced));
    }
    return view.work().inPlace() ? input(view) : List.of();
  }

  private static boolean isRoot(View view) {
    return view.rank() == view.work().root();
  }

  @Override
  void call(ProcessGroup group, View view, Ends ends) {
    Payload output = ends.output().payload();
    if (view.work().inPlace()) {
      group.reduce(output, view.work().op(), view.work().root());
    } else {
      group.reduce(ends.input().payload(), output, view.work().op(), view.work().root());
    }
  }
}
