package io.jgloo.transport.sim;

import io.jgloo.transport.Mesh;
import io.jgloo.transport.PairwiseContract;
import io.jgloo.transport.Ranks;
import org.junit.jupiter.api.Timeout;

/** Pairs of the simulated device fail alone, and are connected anew. */
@Timeout(100)
class SimPairwiseTest implements PairwiseContract {

  private SimWorld world;

  @Override
  public Ranks ranks(int size) {
    world = new SimWorld(size, 20_260_711);
    return new SimRanks(world);
  }

  @Override
  public void lose(Mesh mesh) {
    for (int peer = 0; peer < mesh.membership().size(); peer++) {
      if (peer != mesh.membership().rank()) {
        world.faults().reset(mesh.membership().rank(), peer);
      }
    }
  }
}
