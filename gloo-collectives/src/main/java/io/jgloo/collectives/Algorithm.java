package io.jgloo.collectives;

/**
 * One way to do a collective: a pure function from a shape and a rank to a schedule.
 *
 * <p>An implementation has no state, does no I/O and looks at no clock; called twice with equal
 * arguments it returns equal programs. {@code io.jgloo.collectives.verify.Verifier} proves that the
 * programs of all ranks do what the collective promises. Algorithms of users come by an {@link
 * AlgorithmProvider}; to add one to JGloo, see {@code docs/extending.md}.
 *
 * <p><em>Threads</em>: any, at any time.
 */
public interface Algorithm {
  /** What it computes. */
  Collective collective();

  /** The name users type, in lower camel case, unique among the algorithms of its collective. */
  String name();

  /**
   * Whether operands are reduced in ascending order of rank, as a function needs that is
   * associative but does not commute. True where nothing is reduced.
   */
  default boolean ordered() {
    return !collective().reduces();
  }

  /**
   * One rank's program.
   *
   * @throws IllegalArgumentException if the shape is of another collective, or the rank not below
   *     its size
   */
  Schedule schedule(Shape shape, int rank);

  /**
   * What it costs for this shape, in closed form: nothing is built, so any size is cheap to ask.
   */
  Cost cost(Shape shape);

  /**
   * How many ranks of one host send to other hosts at the same time, at most: they share its link,
   * so the path bytes of {@link #cost} count as often. By default all; 1 if the cost counts it.
   */
  default int linkSharers(Layout layout) {
    return layout.mostLocalSize();
  }

  /**
   * By how much longer the path bytes are predicted to take between more than two hosts than in the
   * steps of a ring, of which beta is: as a share of that time. By default a fifth: a round ends
   * with its slowest rank, and ranks that are ahead share the link of one that is not. 0 where
   * ranks pass segments on to always the same ranks; less where no rank waits for two others.
   */
  default double idleLinks(Shape shape) {
    return 0.2;
  }
}
