package io.jgloo.bench.operation;

import io.jgloo.collectives.Collective;
import java.util.Optional;

/** No rank leaves before all have entered. */
final class BarrierOperation implements Operation {

  @Override
  public String name() {
    return "barrier";
  }

  @Override
  public Optional<Collective> collective() {
    return Optional.of(Collective.BARRIER);
  }

  @Override
  public boolean sized() {
    return false;
  }

  @Override
  public double busFactor(int size) {
    return 0;
  }

  @Override
  public Trial trial(Seat seat, long count) {
    return new BarrierTrial(seat);
  }
}
