package io.jgloo.bench.operation;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import java.util.Optional;

/**
 * What all lines of a table have in common.
 *
 * @param op how to reduce, where something is reduced
 * @param root the rank with a part of its own, where there is one
 * @param algorithm by name; empty: the library chooses
 * @param inPlace whether a call works on one vector where it could work on two
 * @param heap whether vectors are Java arrays
 */
public record Workload(
    DataType type,
    ReduceOp op,
    int root,
    Optional<String> algorithm,
    boolean inPlace,
    boolean heap) {}
