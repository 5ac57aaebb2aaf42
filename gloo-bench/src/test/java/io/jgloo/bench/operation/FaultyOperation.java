package io.jgloo.bench.operation;

import io.jgloo.ProcessGroup;
import io.jgloo.bench.operation.VectorOperation.Block;
import io.jgloo.collectives.Collective;
import io.jgloo.transport.memory.Memory;
import java.util.List;
import java.util.Optional;

/** An allreduce that gets one element wrong at one rank, to test that it is found. */
public final class FaultyOperation extends VectorOperation {

  private static final int FAULTY_RANK = 1;
  private static final long PLACE = 3;

  private final CollectiveOperation correct = new CollectiveOperation(Collective.ALLREDUCE);

  @Override
  public String name() {
    return "faulty";
  }

  @Override
  public Optional<Collective> collective() {
    return correct.collective();
  }

  @Override
  public double busFactor(int size) {
    return correct.busFactor(size);
  }

  @Override
  boolean repeatsInPlace() {
    return false;
  }

  @Override
  List<Block> input(View view) {
    return correct.input(view);
  }

  @Override
  List<Block> expected(View view) {
    return correct.expected(view);
  }

  @Override
  void call(ProcessGroup group, View view, Ends ends) {
    correct.call(group, view, ends);
    if (view.rank() == FAULTY_RANK && view.count() > PLACE) {
      long element = Memory.allocate(Integer.BYTES, Integer.BYTES);
      ends.output().read(PLACE * Integer.BYTES, element, Integer.BYTES);
      Memory.putInt(element, Memory.getInt(element) ^ 1);
      ends.output().write(PLACE * Integer.BYTES, element, Integer.BYTES);
      Memory.free(element);
    }
  }
}
