package io.jgloo.bench.operation;

import io.jgloo.ProcessGroup;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.ReduceOp;
import java.util.Optional;

/** Something that can be measured; {@link Operations} lists them. */
public interface Operation {

  /** The word users type. */
  default String name() {
    return collective().orElseThrow().label();
  }

  /** The collective it calls, if it is one; decides which algorithms there are. */
  default Optional<Collective> collective() {
    return Optional.empty();
  }

  /** Whether it reduces, and so has a reduce op. */
  default boolean reduces() {
    return collective().map(Collective::reduces).orElse(false);
  }

  /** Whether one rank, the root, has a part of its own. */
  default boolean rooted() {
    return collective().map(Collective::rooted).orElse(false);
  }

  /** Whether it moves vectors; if not there is one line and not one per size. */
  default boolean sized() {
    return true;
  }

  /** Whether {@code all} runs it too. */
  default boolean amongAll() {
    return true;
  }

  /** Ranks it takes at least. */
  default int leastRanks() {
    return 1;
  }

  /** Elements of a vector, where so many are wanted: blocks may have to be alike. */
  default long count(long wanted, int size) {
    return wanted;
  }

  /** Whether it makes sense with a reduce op, if it reduces. */
  default boolean accepts(ReduceOp op) {
    return true;
  }

  /** Calls' worth of time between two calls: 2 where a call goes there and back. */
  default int waysPerCall() {
    return 1;
  }

  /**
   * What algorithm bandwidth is multiplied with to become bus bandwidth: the bytes that the busiest
   * link must carry, by the bytes of a vector. So the figure can be compared with the link's limit
   * whatever the number of ranks. 0 where no vectors are moved.
   */
  default double busFactor(int size) {
    return 0;
  }

  /**
   * The operation at one rank, for vectors of that many elements.
   *
   * @throws IllegalArgumentException if there cannot be such vectors
   */
  Trial trial(ProcessGroup group, Workload work, long count);
}
