package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Area;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.memory.OrderedMemory;
import io.jgloo.transport.shm.MemoryLink;
import java.time.Duration;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A peer that writes anything into shared memory makes the pair fail; no other memory is read or
 * written. The layout is that of {@link io.jgloo.transport.shm.MemoryChannel}.
 */
@Timeout(100)
class MemoryCorruptionTest {

  /** Of each part; more by a system property. */
  private static final int SEEDS = Integer.getInteger("jgloo.scribble.seeds", 2);

  private static final long WORDS = 4096;
  private static final long RINGS = 8192;
  private static final long WORD_BYTES = 128;
  private static final int RING_BYTES = 4096;
  private static final long SEGMENT_BYTES = RINGS + 2 * RING_BYTES;

  private static Ranks ranks() {
    return Loopback.ranks(2, TcpMemoryDeviceTest.MEMORY.with("ring", "" + RING_BYTES));
  }

  /** Does something with the address at which rank 0 has mapped the segment, if it still has. */
  private static void withSegment(Rank rank, LongConsumer action) {
    TcpMesh mesh = (TcpMesh) rank.mesh();
    mesh.lock(); // the segment stays mapped meanwhile
    try {
      if (mesh.streamAt(1).link() instanceof MemoryLink link) {
        action.accept((link.channel().address() & -RING_BYTES) - RINGS); // it reads ring 0
      }
    } finally {
      mesh.unlock();
    }
  }

  /** A receive, or a send that fills the ring, so that the position that is corrupt is read. */
  private static Request post(Rank rank, boolean sends) {
    Area area = rank.area(100_000);
    int peer = 1 - rank.rank();
    return sends ? rank.send(peer, 1, area) : rank.recv(peer, 1, area);
  }

  /** Words 2 to 5 are tail and head of ring 0, tail and head of ring 1. */
  @ParameterizedTest
  @CsvSource({"false,2,4", "true,3,5"})
  void corruptPositions_failThePair(boolean sends, int first, int second) {
    for (long value : new long[] {-1, 1L << 40, Long.MIN_VALUE}) {
      Queue<JGlooException> failures = new ConcurrentLinkedQueue<>();
      ranks()
          .run(
              rank -> {
                Request request = post(rank, sends);
                rank.meet();
                if (rank.rank() == 0) {
                  withSegment(
                      rank,
                      at -> {
                        OrderedMemory.putLongRelease(at + WORDS + WORD_BYTES * first, value);
                        OrderedMemory.putLongRelease(at + WORDS + WORD_BYTES * second, value);
                      });
                }
                rank.end(request);
                assertEquals(Request.State.FAILED, request.state());
                failures.add(assertInstanceOf(JGlooException.class, request.failure()));
                rank.meet();
              });
      assertTrue(
          failures.stream().anyMatch(failure -> failure.getMessage().contains("of a ring of")),
          failures::toString);
    }
  }

  /** Random words and bytes are written while messages pass; the ranks end, whatever they see. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
  void scribbledMemory_endsCallsOnly(int part) {
    for (int i = 0; i < SEEDS; i++) {
      int seed = SEEDS * part + i;
      Random random = new Random(seed);
      ranks()
          .run(
              rank -> {
                rank.meet();
                if (rank.rank() == 0) {
                  withSegment(rank, at -> scribble(at + WORDS, random));
                }
                boolean ends = true;
                for (int round = 0; round < 20 && ends; round++) {
                  Request in = post(rank, false);
                  Request out = post(rank, true);
                  ends = endsSoon(rank, in) && endsSoon(rank, out);
                  if (rank.rank() == 0) {
                    withSegment(rank, at -> scribble(at + WORDS, random));
                  }
                }
                rank.mesh().close();
              });
    }
  }

  private static void scribble(long at, Random random) {
    for (int i = random.nextInt(20); i >= 0; i--) {
      long offset = random.nextInt((int) (SEGMENT_BYTES - WORDS)) & -8;
      long value = random.nextBoolean() ? random.nextLong() : random.nextInt(2 * RING_BYTES);
      Memory.putLong(at + (random.nextInt(4) == 0 ? offset & 0x380 : offset), value);
    }
  }

  /** A peer that tells nonsense may also never tell what is awaited: then it is given up. */
  private static boolean endsSoon(Rank rank, Request request) {
    long deadline = rank.deadline(Duration.ofMillis(200));
    while (!request.isDone() && rank.queue().await(deadline)) {
      while (rank.queue().poll() != null) {
        // Its request says how it has ended.
      }
    }
    return request.isDone() && rank.mesh().failure().isEmpty();
  }
}
