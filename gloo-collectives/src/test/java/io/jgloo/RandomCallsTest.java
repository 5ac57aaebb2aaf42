package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.collectives.DataType;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random calls against a naive reference: any collective, algorithm, type, operation, counts, root,
 * and on each rank its own kind of memory, offset and choice to work in place.
 *
 * <p>To replay a failure run with {@code -Dgloo.seed=SEED}, the seed that was printed; {@code
 * -Dgloo.cases=N} makes them more or fewer.
 */
@Timeout(300)
class RandomCallsTest {

  private static final long SEED = Long.getLong("gloo.seed", System.nanoTime());
  private static final int CASES =
      Integer.getInteger("gloo.cases", Boolean.getBoolean("jgloo.test.full") ? 2000 : 120);
  private static final int LARGEST = 9;

  static IntStream sizes() {
    return IntStream.rangeClosed(1, LARGEST);
  }

  Ranks ranks(int size) {
    return Ranks.of(size);
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void agreeWithTheReference(int size) {
    int cases = (CASES + LARGEST - 1) / LARGEST;
    System.out.println(size + " ranks, " + cases + " random calls: -Dgloo.seed=" + SEED);
    try (Ranks ranks = ranks(size)) {
      ranks.each((group, rank) -> check(group, SEED + size, cases, "-Dgloo.seed=" + SEED));
    }
  }

  /**
   * Makes random calls and checks their results.
   *
   * @param seed the same at all ranks of the group
   * @param replay how to make them again, for messages
   */
  static void check(ProcessGroup group, long seed, int cases, String replay) {
    int size = group.size();
    Random shared = new Random(seed);
    Random own = new Random(seed + size * 100L + group.rank());
    for (int i = 0; i < cases; i++) {
      RandomCase random = RandomCase.of(shared, size);
      String description =
          replay + ", " + group.name() + ", case " + i + ": " + random + ", rank " + group.rank();
      try {
        new Check(group, random, own, description).run();
      } catch (RuntimeException | AssertionError e) {
        group.abort("the test has failed"); // or the others would wait for their deadlines
        throw new AssertionError(description, e);
      }
    }
  }

  /** Memory with something around it that must stay. */
  private static final class Place {
    private static final long CANARY = 77;

    private final Cells cells;
    private final int before;
    private final int count;
    private final int after;

    Place(DataType type, Random own, long[] content) {
      before = own.nextInt(5);
      after = own.nextInt(5);
      count = content.length;
      Cells.Kind[] kinds = Cells.Kind.values();
      Cells.Kind kind = kinds[own.nextInt(kinds.length)];
      cells = new Cells(kind, type, before + count + after, own.nextInt(9));
      for (int i = 0; i < before + count + after; i++) {
        cells.set(i, CANARY);
      }
      for (int i = 0; i < count; i++) {
        cells.set(before + i, content[i]);
      }
    }

    Payload payload() {
      return cells.payload(before, count);
    }

    void verify(long[] expected, String description) {
      for (int i = 0; i < before + count + after; i++) {
        int at = i - before;
        if (at >= 0 && at < expected.length) {
          assertEquals(expected[at], cells.get(i), () -> description + ", element " + at);
        } else if (at < 0 || at >= count) {
          assertEquals(CANARY, cells.get(i), () -> description + ", outside, " + at);
        }
      }
    }
  }

  /** One rank's part of a case. */
  private record Check(ProcessGroup group, RandomCase random, Random own, String description) {

    void run() {
      int rank = group.rank();
      boolean started = own.nextInt(4) == 0;
      boolean inPlace = random.mayBeInPlace(rank) && own.nextBoolean();
      long[] content = inPlace ? random.before(rank) : random.contribution(rank);
      Place input = content == null ? null : new Place(random.elements.type(), own, content);
      if (inPlace || random.result(rank) == null) {
        Payload x = input == null ? null : input.payload();
        random.call(group, inPlace ? null : x, inPlace ? x : outputOf(x), inPlace, started);
        if (input != null) {
          input.verify(inPlace ? random.after(rank) : content, description + ", " + inPlace);
        }
        return;
      }
      long[] result = random.result(rank);
      Place output = new Place(random.elements.type(), own, new long[result.length]);
      random.call(group, input == null ? null : input.payload(), output.payload(), false, started);
      output.verify(result, description + ", output");
      if (input != null) {
        input.verify(content, description + ", input");
      }
    }

    /** An output that must be there although nothing is written to it: rank 0's of an exscan. */
    private Payload outputOf(Payload x) {
      boolean needed = random.collective == io.jgloo.collectives.Collective.EXSCAN;
      return needed ? new Place(x.type(), own, new long[(int) x.count()]).payload() : null;
    }
  }
}
