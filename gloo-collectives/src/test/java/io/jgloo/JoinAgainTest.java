package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.rendezvous.ChildJvm;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.FreePort;
import io.jgloo.transport.JGlooException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Processes that join, close and join again at one URL: a fast rank reaches the store of the group
 * that rank 0 is about to close. The long form (100 loops, 1 to 5 ranks) is that of {@code
 * -Djgloo.test.full=true}.
 */
@Timeout(600)
class JoinAgainTest {
  private static final boolean FULL = Boolean.getBoolean("jgloo.test.full");
  private static final int LOOPS = FULL ? 100 : 4;
  private static final int LONGEST_PAUSE_MILLIS = 60;

  /** A rank that joins again and again; prints "done" at the end. */
  static final class Rank {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private Rank() {}

    /** Arguments: way to join, URL, rank, size, loops, seed. */
    public static void main(String[] arguments) throws InterruptedException {
      String way = arguments[0];
      int rank = Integer.parseInt(arguments[2]);
      int size = Integer.parseInt(arguments[3]);
      int loops = Integer.parseInt(arguments[4]);
      long seed = Long.parseLong(arguments[5]);
      SplittableRandom own = new SplittableRandom(seed + rank);
      SplittableRandom common = new SplittableRandom(seed); // the same at all ranks
      for (int loop = 0; loop < loops; loop++) {
        boolean shrinks = size > 1 && common.nextInt(3) == 0;
        try {
          join(way, arguments[1], rank, size, loop, shrinks, own);
        } catch (JGlooException e) {
          System.out.println("loop " + loop + ": " + e);
          e.printStackTrace();
          return;
        }
        Thread.sleep(own.nextInt(LONGEST_PAUSE_MILLIS));
      }
      System.out.println("done");
    }

    private static void join(
        String way,
        String url,
        int rank,
        int size,
        int loop,
        boolean shrinks,
        SplittableRandom random)
        throws InterruptedException {
      try (Store store = way.equals("handle") ? Stores.open(url, rank, size, TIMEOUT) : null;
          ProcessGroup group = joined(way, url, store, rank, size, loop)) {
        use(group);
        if (shrinks && rank == size - 1) {
          return;
        }
        if (shrinks) {
          try (ProcessGroup less = group.shrink(TIMEOUT)) {
            use(less);
          }
        }
        Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
      }
    }

    private static ProcessGroup joined(
        String way, String url, Store store, int rank, int size, int loop) {
      GroupBuilder builder = ProcessGroup.builder().rank(rank).size(size).connectTimeout(TIMEOUT);
      return switch (way) {
        case "init" -> ProcessGroup.init(url, rank, size, TIMEOUT);
        case "epoch" -> builder.epoch(loop).store(url).timeout(TIMEOUT).connect();
        default -> builder.store(store).timeout(TIMEOUT).connect();
      };
    }

    private static void use(ProcessGroup group) {
      long[] sum = {1};
      group.allreduce(sum, ReduceOp.SUM);
      assertEquals(group.size(), sum[0]);
      group.barrier();
    }
  }

  static Stream<Arguments> waysAndSizes() {
    return FULL
        ? IntStream.rangeClosed(1, 5)
            .boxed()
            .flatMap(size -> Stream.of("init", "epoch", "handle").map(way -> arguments(way, size)))
        : Stream.of(arguments("init", 3));
  }

  @ParameterizedTest
  @MethodSource("waysAndSizes")
  void ranksThatJoinAgainAtOneUrl_meetInEveryLoop(String way, int size) throws Exception {
    String url = "tcp://127.0.0.1:" + FreePort.choose();
    List<ChildJvm> ranks = new ArrayList<>();
    try {
      for (int rank = 0; rank < size; rank++) {
        ranks.add(ChildJvm.start(Rank.class, way, url, rank, size, LOOPS, 42L + size));
      }
      for (ChildJvm rank : ranks) {
        assertEquals("done", rank.line());
      }
    } finally {
      ranks.forEach(ChildJvm::close);
    }
  }
}
