package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.capability.Cells;
import io.jgloo.transport.capability.Cells.Channel;
import io.jgloo.transport.capability.Diagnosis;
import io.jgloo.transport.memory.Memory;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A rank that writes words into cells that no correct rank writes ends the group: the others name
 * it, and no call returns a wrong result. The layout is that of {@code CellChannel}.
 */
@Timeout(100)
class CellCorruptionTest {

  private static final int SIZE = 3;
  private static final int CORRUPT = 1;
  private static final long COUNT = 16;
  private static final long LOG = 256;
  private static final long CELLS = 768;
  private static final long CELL_BYTES = 128;
  private static final long READ = 32;
  private static final long INLINE = 40;
  private static final long PAGES = 4096;

  private static Ranks ranks(Duration timeout) {
    DeviceOptions options = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1");
    return Ranks.on(Devices.open("tcp", options.with("memory", "require")), SIZE, timeout);
  }

  private static int sum(ProcessGroup group, int own) {
    int[] x = {own};
    group.allreduce(x, ReduceOp.SUM);
    return x[0];
  }

  private static long written(Mesh mesh) {
    return Diagnosis.of(mesh).counters().get("cellsOut") / (SIZE - 1); // as many to each peer
  }

  /** Where the cells are that this rank writes for a peer, or reads, after as many of each. */
  private static long words(Mesh mesh, int peer, boolean own) {
    Channel channel = mesh.capability(Cells.class).orElseThrow().channel(peer);
    long next = own ? channel.place(0) : channel.address(0);
    return next - INLINE - CELL_BYTES * (written(mesh) % COUNT) - CELLS;
  }

  private static void write(Mesh mesh, boolean own, long offset, long value) {
    for (int peer = 0; peer < SIZE; peer++) {
      if (peer != mesh.membership().rank()) {
        Memory.putLongRelease(words(mesh, peer, own) + offset, value);
      }
    }
  }

  /** The corrupt rank has published its second message; the others have not looked for it. */
  @ParameterizedTest
  @CsvSource({
    "0,-1,the stamp -1 of a cell",
    "0,1,the stamp 1 of a cell",
    "0,4611686018427387904,the stamp 46",
    "8,-1,a cell of -1 bytes",
    "8,8193,a cell of 8193 bytes",
    "8,8,make different calls",
    "16,0,make different calls",
    "24,4,make different calls",
    "32,-1,-1 as the number of cells read",
    "32,3,3 as the number of cells read",
  })
  void wordOfACell_isReportedWithItsWriter(long word, long value, String expected) {
    CountDownLatch written = new CountDownLatch(1);
    try (Ranks ranks = ranks(Duration.ofSeconds(60))) {
      List<Throwable> failures =
          ranks.outcomes(
              (group, rank) -> {
                group.barrier();
                if (rank == CORRUPT) {
                  Work work = group.async().allreduce(Payload.of(new int[1]), ReduceOp.SUM);
                  Mesh mesh = ranks.mesh(rank);
                  while (written(mesh) < 2) {
                    Thread.onSpinWait();
                  }
                  write(mesh, true, CELLS + CELL_BYTES + word, value);
                  written.countDown();
                  work.await();
                }
                written.await();
                sum(group, rank);
              });
      assertNamed(failures, expected);
    }
  }

  /** The next cell has the stamp of a message, but what it holds is of an earlier one. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void stampThatIsEarly_isReportedWithItsWriter(int rounds) {
    CountDownLatch written = new CountDownLatch(1);
    try (Ranks ranks = ranks(Duration.ofSeconds(60))) {
      List<Throwable> failures =
          ranks.outcomes(
              (group, rank) -> {
                for (int round = 0; round < rounds; round++) {
                  assertEquals(3 * round + 3, sum(group, round + rank));
                }
                if (rank == CORRUPT) {
                  write(ranks.mesh(rank), true, CELLS + CELL_BYTES * (rounds % COUNT), rounds + 1);
                  written.countDown();
                  waitForFailure(group);
                }
                written.await();
                sum(group, rank);
              });
      assertNamed(failures, "make different calls");
    }
  }

  /** The root of broadcasts waits for a number that tells that its cells were read. */
  @ParameterizedTest
  @ValueSource(longs = {-1, COUNT + 1, Long.MIN_VALUE})
  void numberOfMessagesRead_isReportedWithItsWriter(long value) {
    try (Ranks ranks = ranks(Duration.ofSeconds(60))) {
      List<Throwable> failures =
          ranks.outcomes(
              (group, rank) -> {
                if (rank == CORRUPT) {
                  write(ranks.mesh(rank), false, 0, value);
                  waitForFailure(group);
                }
                for (int i = 0; i <= COUNT; i++) {
                  group.broadcast(new int[1], 0);
                }
                sum(group, rank);
              });
      assertNamed(failures, value + " as the number of cells read");
    }
  }

  /** Waits for a message that no rank sends. */
  private static void waitForFailure(ProcessGroup group) {
    group.recv(Payload.of(new int[1]), 0, 7);
  }

  private static void assertNamed(List<Throwable> failures, String expected) {
    for (Throwable failure : failures) {
      String message = assertInstanceOf(JGlooException.class, failure).getMessage();
      assertTrue(message.contains(expected), message);
      assertTrue(message.matches("(?s).*(peer 1 \\(|ranks 1 and|and 1 make).*"), message);
    }
  }

  /** Random words between calls: each call fails or returns what it must. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void scribbledWords_giveNoWrongResult(int part) {
    int seeds = Integer.getInteger("jgloo.scribble.seeds", 1);
    for (int seed = seeds * part; seed < seeds * (part + 1); seed++) {
      Random random = new Random(seed);
      try (Ranks ranks = ranks(Duration.ofMillis(500))) {
        List<Throwable> failures =
            ranks.outcomes(
                (group, rank) -> {
                  for (int round = 0; round < 10_000; round++) {
                    assertEquals(3 * round + 3, sum(group, round + rank), "round " + round);
                    if (rank == CORRUPT && round > 50) {
                      scribble(ranks.mesh(rank), random);
                    }
                  }
                });
        for (Throwable failure : failures) {
          assertInstanceOf(JGlooException.class, failure);
        }
      }
    }
  }

  private static void scribble(Mesh mesh, Random random) {
    long at = words(mesh, random.nextBoolean() ? 0 : 2, random.nextInt(4) > 0);
    long cell = CELL_BYTES * random.nextInt((int) COUNT);
    long offset =
        switch (random.nextInt(3)) {
          case 0 -> 8L * random.nextInt((int) LOG / 8);
          case 1 -> LOG + 8L * random.nextInt((int) (CELLS - LOG) / 8);
          default -> CELLS + cell + 8L * random.nextInt((int) (READ / 8 + 1));
        };
    boolean any = random.nextBoolean();
    Memory.putLong(at + offset, any ? random.nextLong() : random.nextInt((int) PAGES));
  }
}
