package io.jgloo.bench.operation;

import io.jgloo.ProcessGroup;
import io.jgloo.collectives.Collective;
import java.util.List;
import java.util.Optional;

/** Every rank ends with the root's vector; always in place. */
final class BroadcastOperation extends VectorOperation {

  @Override
  public String name() {
    return "broadcast";
  }

  @Override
  public Optional<Collective> collective() {
    return Optional.of(Collective.BROADCAST);
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
  boolean inPlace(Workload work) {
    return true;
  }

  @Override
  List<Block> input(View view) {
    int root = view.work().root();
    return view.rank() == root ? List.of(Block.whole(view.count(), view.of(root))) : List.of();
  }

  @Override
  List<Block> expected(View view) {
    return List.of(Block.whole(view.count(), view.of(view.work().root())));
  }

  @Override
  void call(ProcessGroup group, View view, Ends ends) {
    group.broadcast(ends.output().payload(), view.work().root());
  }
}
