package io.jgloo.bench.operation;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.bench.operation.VectorOperation.Block;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.ReduceOp;
import java.util.List;
import java.util.Optional;

/** A collective on vectors that stay whole: allreduce, broadcast, reduce, scan, exscan. */
final class WholeOperation extends VectorOperation {
  private final Collective collective;
  private final Reductions reductions = new Reductions();

  WholeOperation(Collective collective) {
    this.collective = collective;
  }

  @Override
  public Optional<Collective> collective() {
    return Optional.of(collective);
  }

  @Override
  public boolean accepts(ReduceOp op) {
    return !(isScan() && op.averages());
  }

  private boolean isScan() {
    return collective == Collective.SCAN || collective == Collective.EXSCAN;
  }

  @Override
  public double busFactor(int size) {
    return collective == Collective.ALLREDUCE ? 2.0 * (size - 1) / size : 1;
  }

  @Override
  public boolean alwaysInPlace() {
    return collective == Collective.BROADCAST;
  }

  @Override
  boolean repeatsInPlace() {
    return !collective.reduces();
  }

  @Override
  long outputCount(View view) {
    boolean none = collective == Collective.REDUCE && !view.work().inPlace() && !view.isRoot();
    return none ? 0 : view.count();
  }

  @Override
  List<Block> input(View view) {
    return collective.fromRoot() && !view.isRoot()
        ? List.of()
        : List.of(Block.whole(view.count(), view.of(view.rank())));
  }

  @Override
  List<Block> expected(View view) {
    if (collective == Collective.BROADCAST) {
      return List.of(Block.whole(view.count(), view.of(view.work().root())));
    }
    if (collective == Collective.REDUCE && !view.isRoot()) {
      return view.work().inPlace() ? input(view) : List.of();
    }
    int end =
        switch (collective) {
          case SCAN -> view.rank() + 1;
          case EXSCAN -> view.rank();
          default -> view.size();
        };
    Values values = view.values();
    if (end == 0) {
      return List.of();
    }
    Block.Content content =
        end == view.size()
            ? reductions.of(values, view.count())
            : (index, round) -> values.reduced(end, index, round);
    return List.of(Block.whole(view.count(), content));
  }

  @Override
  void call(ProcessGroup group, View view, Ends ends) {
    Payload output = ends.output().payload();
    if (inPlace(view.work())) {
      callInPlace(group, view.work(), output);
    } else {
      call(group, view.work(), ends.input().payload(), output);
    }
  }

  private void callInPlace(ProcessGroup group, Workload work, Payload vector) {
    switch (collective) {
      case ALLREDUCE -> group.allreduce(vector, work.op());
      case BROADCAST -> group.broadcast(vector, work.root());
      case REDUCE -> group.reduce(vector, work.op(), work.root());
      case SCAN -> group.scan(vector, work.op());
      case EXSCAN -> group.exscan(vector, work.op());
      default -> throw new AssertionError(collective);
    }
  }

  private void call(ProcessGroup group, Workload work, Payload input, Payload output) {
    switch (collective) {
      case ALLREDUCE -> group.allreduce(input, output, work.op());
      case REDUCE -> group.reduce(input, output, work.op(), work.root());
      case SCAN -> group.scan(input, output, work.op());
      case EXSCAN -> group.exscan(input, output, work.op());
      default -> throw new AssertionError(collective);
    }
  }
}
