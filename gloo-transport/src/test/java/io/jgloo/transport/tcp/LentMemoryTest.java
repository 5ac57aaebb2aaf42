package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Allocation;
import io.jgloo.transport.Area;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Reduction;
import io.jgloo.transport.Request;
import io.jgloo.transport.capability.Diagnosis;
import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.shm.Lending;
import io.jgloo.transport.shm.MeshHeap;
import io.jgloo.transport.tcp.stream.Stream;
import io.jgloo.transport.tcp.wire.Frame;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages in allocated memory: when it may be changed, what ends it, and frames that lie. */
@Timeout(100)
class LentMemoryTest {

  private static final int BYTES = 12_000;
  private static final int LONG_BYTES = (int) Lending.EAGER_BYTES + 4;
  private static final int HEAP_BYTES = 4 << 20;

  private static Ranks ranks() {
    return new HeapRanks(2, HEAP_BYTES, TcpMemoryDeviceTest.MEMORY);
  }

  private static Stream stream(Rank rank) {
    return ((TcpMesh) rank.mesh()).streamAt(1 - rank.rank());
  }

  /** Queues a frame at rank 1, as if its mesh had written it. */
  private static void forge(Rank rank, int opcode, long slot, long length, int key, long offset) {
    TcpMesh mesh = (TcpMesh) rank.mesh();
    mesh.lock();
    try {
      var frame = stream(rank).rules().queue().add(opcode, slot, length);
      frame.key = key;
      frame.remoteOffset = offset;
      if (opcode == Frame.EXTENT) {
        frame.notice = new byte[(int) length];
      }
      stream(rank).flush();
    } finally {
      mesh.unlock();
    }
  }

  @Test
  void longSend_isDoneWhenThePeerHasRead() {
    ranks()
        .run(
            rank -> {
              Area area = rank.area(LONG_BYTES);
              if (rank.rank() == 0) {
                Request send = rank.send(1, 5, area.fill(1));
                rank.hear(1, 6); // the peer has the frame by now, but no receive
                assertFalse(send.isDone());
                rank.tell(1, 7);
                rank.complete(send);
                area.fill(2);
                rank.tell(1, 8);
              } else {
                rank.tell(0, 6);
                rank.hear(0, 7);
                rank.complete(rank.recv(0, 5, area));
                rank.hear(0, 8);
                area.check(1);
                assertEquals(LONG_BYTES, Diagnosis.of(rank.mesh()).counters().get("bytesInPlace"));
              }
            });
  }

  /**
   * The second message of a slot has no receive and is copied while the first one is still reduced:
   * the sender is not told of the second end before the first.
   */
  @Test
  void messageCopiedDuringAReduction_endsAfterIt() {
    ranks()
        .run(
            rank -> {
              Area area = rank.area(BYTES);
              Area other = rank.area(BYTES);
              if (rank.rank() == 0) {
                Request first = rank.send(1, 5, area.fill(1));
                Request second = rank.send(1, 5, other.fill(2));
                rank.complete(first);
                area.fill(9);
                rank.complete(second);
                other.fill(9);
                rank.hear(1, 9);
              } else {
                Request recv = rank.request(5, area);
                recv.reducing(new SlowCopy());
                rank.recv(0, recv);
                rank.complete(recv);
                area.check(1);
                rank.complete(rank.recv(0, 5, other));
                other.check(2);
                rank.tell(0, 9);
              }
            });
  }

  /** Stores what it is given, a few bytes in each turn of the device. */
  private record SlowCopy() implements Reduction {
    @Override
    public int granule() {
      return 4;
    }

    @Override
    public int bytesAtATime() {
      return BYTES / 10;
    }

    @Override
    public void reduce(long target, long source, long bytes) {
      LockSupport.parkNanos(3_000_000); // more than a turn
      Memory.copy(source, target, bytes);
    }
  }

  /** The reader is stopped in a reduction: the memory stays until it has gone on. */
  @Test
  void closeOfTheAllocation_waitsForTheReader() {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    ranks()
        .run(
            rank -> {
              if (rank.rank() == 0) {
                Allocation memory = rank.allocate(BYTES);
                HeapRanks.awaitAnswers(rank, 1);
                fill(memory, (byte) 3);
                Request send = rank.queue().newRequest();
                send.message(5, wrap(rank, memory), 0, BYTES);
                rank.send(1, send);
                rank.until("the peer reads", () -> reading.getCount() == 0);
                memory.close();
                memory.close();
                assertThrows(IllegalStateException.class, memory::buffer);
                closed.countDown();
                rank.complete(send);
                rank.hear(1, 9);
              } else {
                rank.until("the extent is offered", () -> isOffered(rank));
                Area area = rank.area(BYTES);
                Request recv = rank.request(5, area);
                recv.reducing(new Copy(reading, closed));
                rank.recv(0, recv);
                rank.complete(recv);
                for (byte each : area.bytes(0, BYTES)) {
                  assertEquals(3, each);
                }
                assertEquals(BYTES, Diagnosis.of(rank.mesh()).counters().get("bytesInPlace"));
                rank.tell(0, 9);
              }
            });
  }

  private static boolean isOffered(Rank rank) {
    rank.queue().progress();
    return Diagnosis.of(rank.mesh()).counters().get("bytesIn") > 0;
  }

  private static void fill(Allocation memory, byte value) {
    for (int i = 0; i < memory.bytes(); i++) {
      memory.buffer().put(i, value);
    }
  }

  private static io.jgloo.transport.Buffer wrap(Rank rank, Allocation memory) {
    return rank.mesh().newBuffer().wrap(memory.address(), memory.bytes(), memory);
  }

  /** Stores what it is given, after the first call has waited. */
  private record Copy(CountDownLatch reading, CountDownLatch goOn) implements Reduction {
    @Override
    public int granule() {
      return 4;
    }

    @Override
    public void reduce(long target, long source, long bytes) {
      reading.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      Memory.copy(source, target, bytes);
    }
  }

  /** Of extent 0, which has 4 MiB. */
  @ParameterizedTest
  @CsvSource({
    "10, 1, 100000, 7, 0, a message in extent 7",
    "10, 1, 100000, 0, 4194304, of an extent of 4194304",
    "10, 1, 2147483647, 0, 4294967295, of an extent of 4194304",
    "11, 1, 100000, 0, 0, the end of a message of 100000 bytes",
    "12, 5, 0, 0, 0, an offer of 0 bytes",
    "12, 0, 100, 0, 0, an offer of extent 0 beside 1",
    "12, -1, 100, 0, 0, an offer of extent -1",
    "13, 9, 1, 0, 0, an offer of extent 9",
    "13, 0, 2, 0, 0, an offer of extent 0",
  })
  void forgedFrame_failsThePair(
      int opcode, long slot, long length, int extent, long offset, String message) {
    ranks()
        .run(
            rank -> {
              if (rank.rank() == 1) {
                forge(rank, opcode, slot, length, extent, offset);
                rank.end(rank.recv(0, 2, rank.area(10)));
                rank.meet();
                return;
              }
              Area area = rank.area(BYTES).fill(1);
              JGlooException failure = rank.fails(ProtocolException.class, rank.recv(1, 1, area));
              assertTrue(failure.getMessage().contains(message), failure::getMessage);
              area.check(1);
              rank.meet();
            });
  }

  @Test
  void doneOfAnotherLength_failsBothAndNotTheSend() {
    ranks()
        .run(
            rank -> {
              if (rank.rank() == 1) {
                Request waits = rank.recv(0, 9, rank.area(1));
                rank.meet();
                forge(rank, Frame.DONE, 1, BYTES - 1, 0, 0);
                rank.end(waits);
              } else {
                Request send = rank.send(1, 1, rank.area(BYTES).fill(1));
                rank.meet();
                ProtocolException failure = rank.fails(ProtocolException.class, send);
                assertTrue(failure.getMessage().contains("one of " + BYTES), failure::getMessage);
              }
              rank.meet();
            });
  }

  @Test
  void messageInARetiredExtent_failsThePair() {
    ranks()
        .run(
            rank -> {
              if (rank.rank() == 1) {
                forge(rank, Frame.RETIRED, 0, 0, 0, 0);
                forge(rank, Frame.SHARED, 1, BYTES, 0, 0);
                rank.end(rank.recv(0, 2, rank.area(10)));
              } else {
                rank.fails(ProtocolException.class, rank.recv(1, 1, rank.area(BYTES)));
              }
              rank.meet();
            });
  }

  @Test
  void forgedFrameOnASocket_failsThePair() {
    Queue<JGlooException> failures = new ConcurrentLinkedQueue<>();
    Loopback.ranks(2, TcpMemoryDeviceTest.MEMORY.with("memory", "off"))
        .run(
            rank -> {
              Request recv = rank.recv(1 - rank.rank(), 1, rank.area(10));
              if (rank.rank() == 1) {
                forge(rank, Frame.RETIRED, 1, 0, 0, 0);
              }
              rank.end(recv);
              failures.add(assertInstanceOf(JGlooException.class, recv.failure()));
              rank.meet();
            });
    assertTrue(
        failures.stream().anyMatch(each -> each.getMessage().contains("shared memory by a socket")),
        failures::toString);
  }

  @Test
  void withoutSharedMemory_allocationIsPrivate() {
    Loopback.ranks(2, TcpMemoryDeviceTest.MEMORY.with("memory", "off"))
        .run(
            rank -> {
              for (long bytes : new long[] {0, -1, Allocation.MAX_BYTES + 1}) {
                assertThrows(IllegalArgumentException.class, () -> rank.allocate(bytes));
              }
              try (Allocation memory = rank.allocate(BYTES)) {
                assertFalse(memory.isShared());
                assertEquals(0, memory.address() % Memory.CACHE_LINE);
                assertEquals(BYTES, memory.buffer().remaining());
                Request request = rank.queue().newRequest();
                request.message(1, wrap(rank, memory), 0, BYTES);
                if (rank.rank() == 0) {
                  fill(memory, (byte) 9);
                  rank.complete(rank.send(1, request));
                } else {
                  rank.complete(rank.recv(0, request));
                  assertEquals(9, memory.buffer().get(BYTES - 1));
                }
                rank.meet();
              }
            });
  }

  /** More than a peer maps are private; each that is closed makes room for another. */
  @Test
  void allocations_areBounded() {
    Loopback.ranks(2, TcpMemoryDeviceTest.MEMORY)
        .run(
            rank -> {
              for (int round = 0; round < 3; round++) {
                Queue<Allocation> all = new ConcurrentLinkedQueue<>();
                for (int i = 0; i < MeshHeap.MAX_EXTENTS; i++) {
                  all.add(rank.allocate(1));
                  assertTrue(all.peek().isShared());
                }
                all.add(rank.allocate(1));
                assertEquals(
                    MeshHeap.MAX_EXTENTS, all.stream().filter(Allocation::isShared).count());
                all.forEach(Allocation::close);
                HeapRanks.awaitAnswers(rank, MeshHeap.MAX_EXTENTS * (round + 1) - 1);
              }
              rank.tell(1 - rank.rank(), 9);
              rank.hear(1 - rank.rank(), 9); // the other one needs answers until then
              rank.meet();
            });
  }
}
