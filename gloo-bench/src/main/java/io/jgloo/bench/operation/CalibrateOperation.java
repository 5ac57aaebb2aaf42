package io.jgloo.bench.operation;

import io.jgloo.collectives.Collective;
import java.util.Optional;

/**
 * Measures what the cost model needs to know of a device: alpha, beta and gamma.
 *
 * <p>A line of a table like any other: its times are those of a 4-byte message between ranks 0 and
 * 1, and where others name their algorithm stands the model, as {@code GroupBuilder.costs} takes
 * it. Further ranks sit it out.
 */
final class CalibrateOperation implements Operation {

  @Override
  public String name() {
    return "calibrate";
  }

  @Override
  public Optional<Collective> collective() {
    return Optional.empty();
  }

  @Override
  public boolean sized() {
    return false;
  }

  @Override
  public boolean amongAll() {
    return false;
  }

  @Override
  public int leastRanks() {
    return 2;
  }

  @Override
  public int waysPerCall() {
    return 2;
  }

  @Override
  public double busFactor(int size) {
    return 0;
  }

  @Override
  public Trial trial(Seat seat, long count) {
    return new CalibrateTrial(seat);
  }
}
