package io.jgloo.bench.operation;

import io.jgloo.ProcessGroup;
import io.jgloo.collectives.Collective;
import io.jgloo.transport.memory.Memory;
import java.util.List;
import java.util.Optional;

/** An allreduce that gets one element wrong at one rank, to see whether it is found. */
public final class LyingOperation extends VectorOperation {

  private static final int LIAR = 1;
  private static final long PLACE = 3;

  private final AllreduceOperation honest = new AllreduceOperation();

  @Override
  public String name() {
    return "lying";
  }

  @Override
  public Optional<Collective> collective() {
    return honest.collective();
  }

  @Override
  public boolean reduces() {
    return true;
  }

  @Override
  public double busFactor(int size) {
    return honest.busFactor(size);
  }

  @Override
  boolean repeatsInPlace() {
    return false;
  }

  @Override
  List<Block> input(View view) {
    return honest.input(view);
  }

  @Override
  List<Block> expected(View view) {
    return honest.expected(view);
  }

  @Override
  void call(ProcessGroup group, View view, Ends ends) {
    honest.call(group, view, ends);
    if (view.rank() == LIAR && view.count() > PLACE) {
      long element = Memory.allocate(Integer.BYTES, Integer.BYTES);
      ends.output().read(PLACE * Integer.BYTES, element, Integer.BYTES);
      Memory.putInt(element, Memory.getInt(element) ^ 1);
      ends.output().write(PLACE * Integer.BYTES, element, Integer.BYTES);
      Memory.free(element);
    }
  }
}
