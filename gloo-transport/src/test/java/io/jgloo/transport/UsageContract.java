package io.jgloo.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.jgloo.transport.capability.Diagnosis;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The caller's mistakes are reported before a byte moves; correct use allocates nothing. */
public interface UsageContract extends DeviceUnderTest {

  @Test
  default void postedRequestsAreLeftAlone() {
    ranks(2)
        .run(
            rank -> {
              int peer = 1 - rank.rank();
              Area area = rank.area(8);
              Request posted = rank.recv(peer, 1, area);
              Pair pair = rank.mesh().pair(peer);
              assertThrows(IllegalStateException.class, () -> pair.recv(posted));
              assertThrows(IllegalStateException.class, () -> pair.send(posted));
              assertThrows(
                  IllegalStateException.class, () -> rank.mesh().recvAny(posted, Rank.set(peer)));
              assertThrows(
                  IllegalStateException.class, () -> posted.message(2, area.buffer(), 0, 1));
              assertEquals(Request.State.POSTED, posted.state());
              rank.meet();
              rank.complete(posted, rank.send(peer, 1, rank.area(8)));
              rank.meet();
            });
  }

  @Test
  default void requestsBelongToTheirMesh() {
    ranks(2)
        .run(
            rank -> {
              int peer = 1 - rank.rank();
              Mesh other = rank.connectAnother("other");
              Request foreign = rank.request(1, rank.area(8));
              assertThrows(IllegalStateException.class, () -> other.pair(peer).send(foreign));
              assertThrows(IllegalStateException.class, () -> other.pair(peer).recv(foreign));
              assertThrows(
                  IllegalStateException.class, () -> other.recvAny(foreign, Rank.set(peer)));
              assertEquals(Request.State.IDLE, foreign.state());
              rank.meet();
            });
  }

  @Test
  default void badRangesAndPeersAreRefused() {
    ranks(3)
        .run(
            rank -> {
              for (int bad : List.of(-1, rank.rank(), 3, Integer.MAX_VALUE)) {
                assertThrows(IllegalArgumentException.class, () -> rank.mesh().pair(bad));
              }
              for (int peer = 0; peer < 3; peer++) {
                if (peer != rank.rank()) {
                  assertEquals(peer, rank.mesh().pair(peer).peer());
                }
              }
              Buffer buffer = rank.area(8).buffer();
              Request request = rank.queue().newRequest();
              long[][] ranges = {{0, 9}, {-1, 2}, {8, 1}, {0, -1}, {Long.MAX_VALUE, 1}, {9, 0}};
              for (long[] bad : ranges) {
                assertThrows(
                    IllegalArgumentException.class,
                    () -> request.message(1, buffer, bad[0], bad[1]));
              }
              Buffer window = rank.mesh().newBuffer();
              assertThrows(IllegalArgumentException.class, () -> window.wrap(0, 1, null));
              assertThrows(IllegalArgumentException.class, () -> window.wrap(64, -1, null));
              assertEquals(0, window.wrap(0, 0, null).length());
              rank.meet();
            });
  }

  @Test
  default void halfElementsAndNoMessagesAreRefused() {
    ranks(2)
        .run(
            rank -> {
              Pair pair = rank.mesh().pair(1 - rank.rank());
              Request blank = rank.queue().newRequest();
              assertThrows(IllegalStateException.class, () -> pair.send(blank));
              assertThrows(IllegalStateException.class, () -> pair.recv(blank));
              Request odd = rank.request(1, rank.area(10)).reducing(new ReductionContract.Sum(4));
              assertThrows(IllegalArgumentException.class, () -> pair.recv(odd));
              assertThrows(
                  IllegalArgumentException.class,
                  () -> rank.mesh().recvAny(odd, Rank.set(1 - rank.rank())));
              assertEquals(Request.State.IDLE, odd.state());
              rank.meet();
            });
  }

  @Test
  default void ranksOfOneMachineShareItsHost() {
    ranks(3)
        .run(
            rank -> {
              Mesh mesh = rank.mesh();
              assertEquals(new Membership("world", 0, rank.rank(), 3), mesh.membership());
              assertEquals(Collections.nCopies(3, mesh.address().host()), mesh.hosts());
              assertTrue(mesh.failure().isEmpty());
            });
  }

  @Test
  default void countersCount() {
    ranks(2)
        .run(
            rank -> {
              Map<String, Long> before = Map.copyOf(Diagnosis.of(rank.mesh()).counters());
              Area area = rank.area(100_000);
              for (int i = 0; i < 10; i++) {
                rank.complete(rank.rank() == 0 ? rank.send(1, 1, area) : rank.recv(0, 1, area));
              }
              Map<String, Long> after = Diagnosis.of(rank.mesh()).counters();
              assertTrue(after.values().stream().allMatch(value -> value >= 0), after::toString);
              assertTrue(
                  after.entrySet().stream()
                      .anyMatch(e -> e.getValue() - before.getOrDefault(e.getKey(), 0L) >= 1e6),
                  () -> "no counter has seen a million bytes: " + after);
              rank.meet();
            });
  }

  @Test
  default void smallMessagesAllocateNothing() {
    int messages = 2000;
    // What the measuring itself allocates is far below one byte a message.
    long most = 2L * messages * (allocatedPerMessage() + 1) - 1;
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    AtomicInteger quiet = new AtomicInteger();
    // A busy machine compiles late, so a rank that still allocates gets more batches.
    long end = System.nanoTime() + Ranks.PATIENCE.toNanos();
    AtomicBoolean late = new AtomicBoolean();
    ranks(2)
        .run(
            rank -> {
              int peer = 1 - rank.rank();
              Area area = rank.area(64);
              Request send = rank.queue().newRequest();
              Request recv = rank.queue().newRequest();
              long least = Long.MAX_VALUE;
              while (quiet.get() < 2 && !late.get()) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < messages; i++) {
                  rank.recv(peer, recv.message(1, area.buffer(), 32, 32));
                  rank.send(peer, send.message(1, area.buffer(), 0, 32));
                  takeTwo(rank);
                }
                boolean wasQuiet = least <= most;
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
                rank.meet();
                if (!wasQuiet && least <= most) {
                  quiet.incrementAndGet();
                }
                if (rank.rank() == 0 && System.nanoTime() > end) {
                  late.set(true);
                }
                rank.meet();
              }
              System.out.printf(
                  "%s: rank %d allocated %d bytes for %d small exchanges after warm-up%n",
                  rank.device().name(), rank.rank(), least, messages);
              assertTrue(least <= most, least + " bytes");
              rank.meet();
            });
  }

  private static void takeTwo(Rank rank) {
    long deadline = rank.deadline(Ranks.PATIENCE);
    for (int taken = 0; taken < 2; ) {
      Request next = rank.queue().poll();
      if (next != null) {
        assertEquals(Request.State.DONE, next.state());
        taken++;
      } else {
        assertTrue(rank.queue().await(deadline), "nothing completes");
      }
    }
  }
}
