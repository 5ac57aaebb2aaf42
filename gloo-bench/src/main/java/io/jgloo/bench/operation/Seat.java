package io.jgloo.bench.operation;

import io.jgloo.CallOptions;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.algorithm.Algorithms;
import java.util.Optional;

/**
 * One rank's place at the work: its group, and what is to be done.
 *
 * @param group as it is; for agreeing on what to do next
 */
public record Seat(ProcessGroup group, Workload work) {

  /** This rank. */
  public int rank() {
    return group.rank();
  }

  /** Number of ranks. */
  public int size() {
    return group.size();
  }

  /** The group whose calls are measured: with the algorithm asked for, if the collective has it. */
  ProcessGroup measured(Optional<Collective> collective) {
    return collective
        .flatMap(what -> work.algorithm().filter(name -> exists(what, name)))
        .map(name -> group.with(CallOptions.DEFAULTS.algorithm(name)))
        .orElse(group);
  }

  private static boolean exists(Collective collective, String name) {
    return Algorithms.of(collective).stream().anyMatch(each -> each.name().equals(name));
  }
}
