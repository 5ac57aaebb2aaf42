package io.jgloo.testkit;

import io.jgloo.ProcessGroup;

/** What each rank of a test does. */
@FunctionalInterface
public interface RankBody {

  /**
   * Runs at one rank, on a thread of its own.
   *
   * @param group connected; closed when this returns, as if the rank's process had ended
   */
  void run(ProcessGroup group) throws Exception;
}
