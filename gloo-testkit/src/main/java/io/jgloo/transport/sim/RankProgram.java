package io.jgloo.transport.sim;

import io.jgloo.transport.Device;

/** The program of each rank of a {@link SimWorld}. */
@FunctionalInterface
public interface RankProgram {

  /**
   * Runs in a thread of the rank's own.
   *
   * @param rank 0 to size - 1
   * @param device the rank's; closed when this returns, as if its process had ended
   */
  void run(int rank, Device device) throws Exception;
}
