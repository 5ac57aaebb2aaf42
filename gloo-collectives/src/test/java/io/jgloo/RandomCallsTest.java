package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Algorithms;
import io.jgloo.collectives.Collective;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random calls against a naive reference: any collective, algorithm, type, operation, count, root,
 * and on each rank its own kind of memory, offset and choice to work in place.
 *
 * <p>To replay a failure run with {@code -Djgloo.seed=SEED}, the seed that was printed.
 */
@Timeout(300)
class RandomCallsTest {

  private static final long SEED = Long.getLong("jgloo.seed", System.nanoTime());
  private static final int CALLS = Integer.getInteger("jgloo.calls", 60);
  private static final long CANARY = 77;
  private static final List<DataType> TYPES =
      List.of(DataType.FLOAT32, DataType.FLOAT64, DataType.INT32, DataType.INT64);
  private static final List<ReduceOp> OPS =
      List.of(ReduceOp.SUM, ReduceOp.PRODUCT, ReduceOp.MIN, ReduceOp.MAX);

  /** What all ranks agree on. */
  private record Call(
      Collective collective, String algorithm, DataType type, ReduceOp op, int count, int root) {

    static Call random(Random random, int size) {
      Collective[] all = Collective.values();
      Collective collective = all[random.nextInt(all.length)];
      List<Algorithm> algorithms = Algorithms.of(collective);
      int choice = random.nextInt(algorithms.size() + 1);
      return new Call(
          collective,
          choice == algorithms.size() ? null : algorithms.get(choice).name(),
          TYPES.get(random.nextInt(TYPES.size())),
          OPS.get(random.nextInt(OPS.size())),
          count(random, size),
          random.nextInt(size));
    }

    private static int count(Random random, int size) {
      int[] awkward = {0, 1, size - 1, size, size + 1, 7, 63, 1009, 4099, 16_384, 20_011};
      return switch (random.nextInt(12)) {
        case 0 -> 70_001 + random.nextInt(10);
        case 1 -> 200_003;
        case 2 -> random.nextInt(3000);
        default -> awkward[random.nextInt(awkward.length)];
      };
    }

    /** A small whole number, so that every order of reduction gives the same bits. */
    long contribution(int rank, int i) {
      int mix = (i * 31 + rank * 17) % 7;
      return op.equals(ReduceOp.PRODUCT) ? (mix < 2 ? 2 : mix < 4 ? -1 : 1) : mix - 3;
    }

    long expected(int size, int i) {
      if (collective == Collective.BROADCAST) {
        return contribution(root, i);
      }
      return IntStream.range(0, size)
          .mapToLong(rank -> contribution(rank, i))
          .reduce(
              (a, b) ->
                  op.equals(ReduceOp.SUM)
                      ? a + b
                      : op.equals(ReduceOp.PRODUCT)
                          ? a * b
                          : op.equals(ReduceOp.MIN) ? Math.min(a, b) : Math.max(a, b))
          .orElseThrow();
    }
  }

  static IntStream sizes() {
    return IntStream.rangeClosed(1, 9);
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void agreeWithTheReference(int size) {
    System.out.println(size + " ranks, " + CALLS + " random calls: -Djgloo.seed=" + SEED);
    try (Ranks ranks = Ranks.of(size)) {
      ranks.each(
          (group, rank) -> {
            Random shared = new Random(SEED + size);
            Random own = new Random(SEED + size * 100L + rank);
            for (int i = 0; i < CALLS; i++) {
              Call call = Call.random(shared, size);
              String told = "seed " + SEED + ", call " + i + ": " + call + ", rank " + rank;
              try {
                check(group, call, own, told);
              } catch (RuntimeException e) {
                throw new AssertionError(told, e);
              }
            }
          });
    }
  }

  private static void check(ProcessGroup group, Call call, Random own, String told) {
    ProcessGroup by =
        call.algorithm == null ? group : group.with(CallOptions.DEFAULTS.algorithm(call.algorithm));
    boolean started = own.nextInt(4) == 0;
    if (call.collective == Collective.BARRIER) {
      if (started) {
        by.barrierAsync().await();
      } else {
        by.barrier();
      }
      return;
    }
    int before = own.nextInt(5);
    int after = own.nextInt(5);
    Cells output = cells(call, own, before + call.count + after);
    boolean inPlace = call.collective == Collective.BROADCAST || own.nextBoolean();
    Cells input = inPlace ? output : cells(call, own, before + call.count + after);
    for (int i = 0; i < call.count; i++) {
      input.set(before + i, call.contribution(group.rank(), i));
    }
    Payload x = output.payload(before, call.count);
    Work work = null;
    if (call.collective == Collective.BROADCAST) {
      work = broadcast(by, x, call, started);
    } else {
      work = allreduce(by, inPlace ? null : input.payload(before, call.count), x, call, started);
    }
    if (work != null) {
      work.await();
    }
    for (int i = -before; i < call.count + after; i++) {
      boolean inside = i >= 0 && i < call.count;
      long expected = inside ? call.expected(group.size(), i) : CANARY;
      assertEquals(expected, output.get(before + i), () -> told + ", " + x);
      if (!inPlace) {
        long kept = inside ? call.contribution(group.rank(), i) : CANARY;
        assertEquals(kept, input.get(before + i), () -> told + ", input");
      }
    }
  }

  private static Work broadcast(ProcessGroup by, Payload x, Call call, boolean started) {
    if (started) {
      return by.broadcastAsync(x, call.root);
    }
    by.broadcast(x, call.root);
    return null;
  }

  private static Work allreduce(
      ProcessGroup by, Payload input, Payload x, Call call, boolean started) {
    if (input == null && started) {
      return by.allreduceAsync(x, call.op);
    } else if (input == null) {
      by.allreduce(x, call.op);
    } else if (started) {
      return by.allreduceAsync(input, x, call.op);
    } else {
      by.allreduce(input, x, call.op);
    }
    return null;
  }

  private static Cells cells(Call call, Random own, int count) {
    Cells.Kind[] kinds = Cells.Kind.values();
    Cells cells = new Cells(kinds[own.nextInt(kinds.length)], call.type, count, own.nextInt(9));
    for (int i = 0; i < count; i++) {
      cells.set(i, CANARY);
    }
    return cells;
  }
}
