package io.jgloo.bench.soak;

import io.jgloo.ProcessGroup;
import io.jgloo.bench.operation.Operation;
import io.jgloo.bench.operation.Operations;
import io.jgloo.bench.operation.Trial;
import io.jgloo.bench.operation.Trial.Findings;
import io.jgloo.bench.operation.Vector;
import io.jgloo.bench.operation.Workload;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.algorithm.Algorithms;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Verified calls of random kinds, types, sizes, roots and algorithms, the same at all ranks that
 * have the same seed.
 *
 * <p><em>Threads</em>: one.
 */
final class RandomCalls {
  private static final List<Operation> OPERATIONS =
      Operations.all().stream().filter(Operation::amongAll).toList();

  private static final long SMALL_BYTES = 8 << 10;

  /** Of what takes milliseconds. */
  private static final int MOST_SLOW_REPEATS = 32;

  /** Verifying a barrier takes milliseconds: one rank is late on purpose. */
  private static final int BARRIERS_LEFT_OUT = 50;

  private final ProcessGroup group;
  private final SplittableRandom random;
  private final SoakCommand options;
  private int round;
  private String last = "nothing";

  RandomCalls(ProcessGroup group, long seed, SoakCommand options) {
    this.group = group;
    this.options = options;
    random = new SplittableRandom(seed);
  }

  /** Makes some calls of one kind; returns how many. */
  int some(Findings findings) {
    Operation operation = operation();
    DataType type = pick(List.of(DataType.values()));
    ReduceOp op = pick(ReduceOp.builtIn());
    while (!op.appliesTo(type) || !operation.accepts(op)) {
      op = pick(ReduceOp.builtIn());
    }
    long bytes = bytes();
    long count = operation.count(Math.max(1, bytes / type.bytes()), group.size());
    Workload work =
        new Workload(
            type,
            op,
            random.nextInt(group.size()),
            algorithm(operation),
            random.nextBoolean(),
            pick(List.of(Vector.Kind.values())));
    last = operation.name() + " of " + count + " " + work;
    int repeats = bytes <= SMALL_BYTES ? 1 + random.nextInt(mostRepeats(operation)) : 1;
    try (Trial trial = operation.trial(group, work, count)) {
      for (int i = 0; i < repeats; i++) {
        trial.verify(round++, findings);
      }
    }
    return repeats;
  }

  /** The kind of the last calls, for people. */
  String last() {
    return last;
  }

  private int mostRepeats(Operation operation) {
    boolean slow = operation.collective().isEmpty() || isBarrier(operation);
    return slow ? Math.min(options.repeats, MOST_SLOW_REPEATS) : options.repeats;
  }

  private static boolean isBarrier(Operation operation) {
    return operation.collective().equals(Optional.of(Collective.BARRIER));
  }

  private Operation operation() {
    while (true) {
      Operation operation = pick(OPERATIONS);
      if (operation.leastRanks() <= group.size()
          && !(isBarrier(operation) && random.nextInt(BARRIERS_LEFT_OUT) > 0)) {
        return operation;
      }
    }
  }

  /** Most vectors are small; the sizes of the others are evenly spread by their logarithms. */
  private long bytes() {
    long most =
        random.nextInt(4) == 0 ? options.mostBytes : Math.min(SMALL_BYTES, options.mostBytes);
    return (long) Math.pow((double) most, random.nextDouble());
  }

  private Optional<String> algorithm(Operation operation) {
    if (options.algorithm != null || random.nextBoolean() || operation.collective().isEmpty()) {
      return Optional.ofNullable(options.algorithm);
    }
    return Optional.of(pick(Algorithms.of(operation.collective().get())).name());
  }

  private <T> T pick(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }
}
