package io.jgloo.bench.compare;

/** A timing and the round and task it belongs to. */
record Sample(String operation, int ranks, int round, Timing timing) {}
