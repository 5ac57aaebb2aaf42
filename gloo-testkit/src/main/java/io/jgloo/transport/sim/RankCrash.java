package io.jgloo.transport.sim;

/**
 * Ends the threads of a rank that has crashed, at their next call.
 *
 * <p>A thread cannot be killed as a process can; so this must not be caught, but for cleaning up.
 */
public final class RankCrash extends Error {

  private static final long serialVersionUID = 1L;

  RankCrash(int rank) {
    super("rank " + rank + " has crashed", null, false, false);
  }
}
