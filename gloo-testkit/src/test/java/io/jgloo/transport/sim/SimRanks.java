package io.jgloo.transport.sim;

import io.jgloo.transport.Device;
import io.jgloo.transport.Ranks;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Ranks on the scheduler of a simulated world, in virtual time. */
final class SimRanks extends Ranks {

  private final SimWorld world;

  SimRanks(SimWorld world) {
    super(world.size());
    this.world = world;
  }

  @Override
  protected Device open(int rank) {
    return world.device(rank);
  }

  @Override
  protected void together(List<Runnable> tasks) {
    world.run((rank, device) -> tasks.get(rank).run());
  }

  @Override
  protected Thread start(String name, Runnable body) {
    return world.fork(name, body);
  }

  @Override
  protected boolean until(BooleanSupplier condition, Duration timeout) {
    return world.await(condition, timeout);
  }
}
