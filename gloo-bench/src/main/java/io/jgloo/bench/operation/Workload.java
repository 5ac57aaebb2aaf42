package io.jgloo.bench.operation;

import io.jgloo.CallOptions;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.AlgorithmProvider;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.algorithm.Algorithms;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * The common settings of all lines of a table.
 *
 * @param op how to reduce, where something is reduced
 * @param root the rank that is the root, where there is one
 * @param algorithm by name; empty: the library chooses
 * @param inPlace whether a call works on one vector where it could work on two
 * @param memory where vectors lie
 */
public record Workload(
    DataType type,
    ReduceOp op,
    int root,
    Optional<String> algorithm,
    boolean inPlace,
    Vector.Kind memory) {

  /** The group whose calls are measured: with the algorithm asked for, if the collective has it. */
  ProcessGroup measured(ProcessGroup group, Optional<Collective> collective) {
    return collective
        .flatMap(what -> algorithm.filter(name -> algorithms(what).contains(name)))
        .map(name -> group.with(CallOptions.DEFAULTS.algorithm(name)))
        .orElse(group);
  }

  /** The names of a collective's algorithms, those of users' providers included. */
  public static List<String> algorithms(Collective collective) {
    ClassLoader loader = AlgorithmProvider.class.getClassLoader(); // as the library does it
    Stream<Algorithm> provided =
        ServiceLoader.load(AlgorithmProvider.class, loader).stream()
            .flatMap(provider -> provider.get().algorithms().stream())
            .filter(algorithm -> algorithm.collective() == collective);
    return Stream.concat(Algorithms.of(collective).stream(), provided)
        .map(Algorithm::name)
        .toList();
  }
}
