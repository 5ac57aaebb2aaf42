package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Address;
import io.jgloo.transport.Area;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.tcp.wire.Frame;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What networks do to connections: cut them into pieces, delay, stall, throttle and break them. */
@Timeout(60)
class NetworkFaultTest {
  private static final Duration WAIT = Duration.ofMillis(300);

  /** More than two sockets and the proxy between them hold. */
  private static final int FULL_SOCKET_BYTES = 16 << 20;

  private static final int WINDOW_BYTES = 1 << 20;

  interface Program {
    void run(Rank rank, FaultProxy proxy) throws Exception;
  }

  /** Two ranks whose one connection goes through a proxy. */
  static void through(String sockets, Shape shape, Program program) {
    through(Loopback.OPTIONS.with("sockets", sockets), shape, program);
  }

  /** The same for all connections of two ranks that have more. */
  static void through(DeviceOptions options, Shape shape, Program program) {
    try (FaultProxy proxy = new FaultProxy().shape(shape)) {
      through(Loopback.ranks(2, options), proxy, program);
    }
  }

  static void through(Ranks ranks, FaultProxy proxy, Program program) {
    ranks.runUnconnected(
        rank -> {
          List<Address> addresses = new ArrayList<>(rank.addresses("world"));
          if (rank.rank() == 1) {
            addresses.set(0, proxy.before(addresses.get(0)));
          }
          rank.mesh().connect(addresses, Ranks.PATIENCE);
          rank.meet();
          program.run(rank, proxy);
        });
  }

  static void through(Shape shape, Program program) {
    through("auto", shape, program);
  }

  /** Each rank sends and receives messages of these sizes at the same time, and checks them. */
  static void exchange(Rank rank, int... sizes) {
    int peer = 1 - rank.rank();
    for (int size : sizes) {
      Area in = rank.area(size);
      Area out = rank.area(size).fill(size + rank.rank());
      rank.complete(rank.recv(peer, size, in), rank.send(peer, size, out));
      in.check(size + peer);
      Area unmatched = rank.area(size);
      Request early = rank.send(peer, 2L * size, out);
      rank.tell(peer, 3L * size + 1);
      rank.hear(peer, 3L * size + 1);
      rank.complete(rank.recv(peer, 2L * size, unmatched), early);
      unmatched.check(size + peer);
      rank.free(in, out, unmatched);
    }
  }

  /** The same, each arriving element added to ours. */
  static void reduce(Rank rank, int granule, int... counts) {
    int peer = 1 - rank.rank();
    for (int count : counts) {
      int bytes = count * granule;
      Area sum = rank.area(bytes);
      Area out = rank.area(bytes);
      for (int at = 0; at < bytes; at += Long.BYTES) {
        Memory.putLong(sum.address() + at, 3L * at + rank.rank());
        Memory.putLong(out.address() + at, 3L * at + rank.rank());
      }
      Request recv = rank.request(9, sum).reducing(new Sums(granule));
      rank.complete(rank.recv(peer, recv), rank.send(peer, 9, out));
      for (int at = 0; at < bytes; at += Long.BYTES) {
        assertEquals(6L * at + 1, Memory.getLong(sum.address() + at));
      }
      rank.free(sum, out);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "nio"})
  void oneByteAtATime(String sockets) {
    through(
        sockets,
        Shape.pieces(1, 1),
        (rank, proxy) -> {
          exchange(rank, 0, 1, 64, 65, 3000);
          reduce(rank, 8, 0, 1, 2, 100);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "nio"})
  void anyPieces(String sockets) {
    through(
        sockets,
        Shape.pieces(1, 3000),
        (rank, proxy) -> {
          exchange(rank, 100, 8192, 8193, 50_000, 300_000, (1 << 20) + 1);
          reduce(rank, 8, 1, 1000, 50_000);
        });
  }

  /** Elements longer than a header: what is left of a read is longer than one, too. */
  @ParameterizedTest
  @ValueSource(ints = {72, 65536})
  void piecesOfLongElements(int granule) {
    through(Shape.pieces(1, 500), (rank, proxy) -> reduce(rank, granule, 1, 3, 40));
  }

  /** The end behind a goodbye is there until the connection is closed. */
  @ParameterizedTest
  @ValueSource(strings = {"epoll", "nio"})
  void waitForAThirdRankAfterAPeerHasLeft_costsWhatAnIdleWaitCosts(String sockets) {
    Loopback.ranks(3, Loopback.OPTIONS.with("sockets", sockets))
        .run(
            rank -> {
              if (rank.rank() == 2) {
                rank.meet();
                rank.mesh().close();
                rank.meet();
                rank.meet();
                rank.meet();
                return;
              }
              int peer = 1 - rank.rank();
              Request waiting = rank.recv(peer, 1, rank.area(8));
              long idle = costOfWait(rank, rank.queue());
              rank.meet();
              rank.meet(); // rank 2 has left
              assertCheap(idle, costOfWait(rank, rank.queue()));
              rank.meet();
              rank.complete(rank.send(peer, 1, rank.area(8)), waiting);
              rank.meet();
            });
  }

  /** Processor time of this thread and of the devices' threads while nothing comes. */
  private static long costOfWait(Rank rank, CompletionQueue queue) {
    long before = processorNanos();
    assertFalse(queue.await(rank.deadline(WAIT)));
    return processorNanos() - before;
  }

  private static long processorNanos() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long sum = threads.getCurrentThreadCpuTime();
    for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().startsWith("gloo-")) {
        sum += threads.getThreadCpuTime(thread.getThreadId());
      }
    }
    return sum;
  }

  /** A thread that polls all the time has a share of a core, on a loaded machine too. */
  private static void assertCheap(long idleNanos, long nanos) {
    System.out.printf("a wait of %s: %d ns, idle %d ns%n", WAIT, nanos, idleNanos);
    long most = 2 * idleNanos + WAIT.toNanos() / 20;
    assertTrue(nanos < most, nanos + " ns of processor time, an idle wait " + idleNanos);
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "nio"})
  void aConnectionThatBreaksWhileIdleFailsTheNextCall(String sockets) {
    through(
        sockets,
        Shape.PLAIN,
        (rank, proxy) -> {
          exchange(rank, 100);
          rank.meet();
          Wire wire = proxy.wire(0);
          wire.reset();
          rank.until("it is broken", wire::isGone);
          int peer = 1 - rank.rank();
          Area area = rank.area(8);
          Request late = rank.rank() == 0 ? rank.send(peer, 1, area) : rank.recv(peer, 1, area);
          if (rank.rank() == 0) {
            rank.end(late); // into the socket it may still go
            late = rank.recv(peer, 1, area);
          }
          assertEquals(peer, rank.fails(PeerLostException.class, late).peer());
        });
  }

  /** What has come of it is in other memory, cut anywhere; what is missing goes into place. */
  @ParameterizedTest
  @CsvSource({"8300, 0", "77777, 24", "65535, 48000"})
  void aReceiveForWhatIsHalfHere(long bytes, int granule) {
    through(
        Shape.PLAIN,
        (rank, proxy) -> {
          Pipe pipe = proxy.wire(0).toListener();
          Area area = rank.area(960_000);
          for (int at = 0; at < 960_000; at += Long.BYTES) {
            Memory.putLong(area.address() + at, 3L * at + rank.rank());
          }
          if (rank.rank() == 1) {
            pipe.stallAt(pipe.passed() + Frame.BYTES + bytes);
            Request send = rank.send(0, 1, area);
            rank.meet();
            rank.complete(send);
            return;
          }
          rank.meet();
          assertFalse(rank.queue().await(rank.deadline(Duration.ofMillis(50)))); // reads it
          Request recv = rank.request(1, area);
          rank.recv(1, granule == 0 ? recv : recv.reducing(new Sums(granule)));
          assertFalse(rank.queue().await(rank.deadline(Duration.ofMillis(50))) && recv.isDone());
          pipe.resume();
          rank.complete(recv);
          for (int at = 0; at < 960_000; at += Long.BYTES) {
            long expected = (granule == 0 ? 3L : 6L) * at + 1;
            assertEquals(expected, Memory.getLong(area.address() + at));
          }
        });
  }

  /** Before the grants of both messages, and in the middle of one, when the socket fills. */
  @ParameterizedTest
  @CsvSource({"epoll, 500000", "nio, 0"})
  void aStallThatHeals(String sockets, long after) {
    through(
        sockets,
        Shape.PLAIN,
        (rank, proxy) -> stallAndHeal(rank, proxy.wire(0).toListener(), after));
  }

  /**
   * Both send and receive more than sockets hold while the stream from rank 1 is stalled.
   *
   * @param after bytes that still pass
   */
  static void stallAndHeal(Rank rank, Pipe pipe, long after) {
    int peer = 1 - rank.rank();
    Area out = rank.area(FULL_SOCKET_BYTES).fill(rank.rank());
    Area in = rank.area(FULL_SOCKET_BYTES);
    rank.meet(); // rank 0 is connected too: the confirmation is not held up
    long stallAt = pipe.passed() + after;
    rank.meet();
    if (rank.rank() == 1) {
      pipe.stallAt(stallAt);
    }
    rank.meet();
    Request recv = rank.recv(peer, 1, in);
    Request send = rank.send(peer, 1, out);
    rank.until("it is stalled", () -> pipe.passed() >= stallAt);
    rank.pause(100);
    Request held = rank.rank() == 0 ? recv : send;
    assertFalse(held.isDone(), () -> "slot 1 is " + held.state());
    rank.meet();
    pipe.resume();
    rank.complete(recv, send);
    in.check(peer);
    rank.meet();
  }

  /**
   * Frames of the side channel cannot be distinguished from the stream's own bytes: no byte is lost
   * or doubled.
   */
  @Test
  void stallsInTheMiddleAgainAndAgain() {
    through(
        Shape.pieces(1, 9000),
        (rank, proxy) -> {
          Ranks.Fork stalling =
              rank.fork(
                  "stalls",
                  self -> {
                    Wire wire = proxy.wire(0);
                    Pipe pipe = self.rank() == 0 ? wire.toDialler() : wire.toListener();
                    for (int i = 0; i < 20; i++) {
                      pipe.stall();
                      self.pause(10);
                      pipe.resume();
                      self.pause(5);
                    }
                  });
          for (int i = 0; i < 2; i++) {
            exchange(rank, 10, 70_000, 6_000_000);
          }
          stalling.join();
        });
  }

  /** The last message comes first, as those before it must wait for a receive or for a grant. */
  @Test
  void aNarrowLinkWithBulkBothWays() {
    through(
        Loopback.OPTIONS.with("window", WINDOW_BYTES),
        Shape.throttled(16 << 20),
        (rank, proxy) -> {
          int peer = 1 - rank.rank();
          long before = Memory.allocatedBytes();
          Area out = rank.area(50_000).fill(rank.rank());
          List<Request> sends = new ArrayList<>();
          for (int i = 0; i < 200; i++) {
            sends.add(rank.send(peer, 1, out));
          }
          sends.add(rank.send(peer, 2, out));
          Area in = rank.area(50_000);
          rank.complete(rank.recv(peer, 2, in));
          Request recv = rank.request(1, in);
          for (int i = 0; i < 200; i++) {
            long more = Memory.allocatedBytes() - before;
            assertTrue(more < 4 * WINDOW_BYTES, more + " bytes allocated");
            rank.complete(rank.recv(peer, recv));
            in.check(peer);
          }
          rank.complete(sends.toArray(Request[]::new));
          rank.meet();
        });
  }
}
