package io.jgloo.collectives;

import java.util.List;

/**
 * Brings algorithms of a user's own; found by {@link java.util.ServiceLoader} when a group is made.
 *
 * <p>A call asks for them by name, as for any other. All ranks of a group need the same providers.
 * Verify an algorithm with {@code io.jgloo.collectives.verify.Verifier}: a group runs what a
 * provider brings, unverified. Groups with ranks of Gloo or PyTorch do not use providers.
 *
 * <p><em>Threads</em>: any.
 */
public interface AlgorithmProvider {

  /** The algorithms; the name of each differs from all others of its collective. */
  List<Algorithm> algorithms();

  /**
   * Whether an algorithm of this provider takes part in the selection for calls that name none, of
   * which the one with the least predicted time is taken. By default none does.
   *
   * <p>The answer is the same at all ranks: it depends on nothing but the arguments, and for an
   * alltoallv, of which each rank has a shape of its own, not on the counts.
   *
   * @param shape in place, whether the call is or not, unless it is an alltoallv
   */
  default boolean selectable(Algorithm algorithm, Shape shape) {
    return false;
  }
}
