package io.jgloo.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.memory.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Close ends at once the waits of this rank and the requests of peers that still need it, and
 * nothing else.
 */
public interface ClosingContract extends DeviceUnderTest {

  @Test
  default void closingEndsWaitingFromEightThreads() {
    ranks(2)
        .run(
            rank -> {
              if (rank.rank() == 1) {
                rank.meet();
                return;
              }
              CompletionQueue queue = rank.mesh().newQueue();
              Request recv = queue.newRequest().message(1, rank.area(8).buffer(), 0, 8);
              rank.recv(1, recv);
              Ranks.Fork waiter =
                  rank.fork(
                      "waiter", self -> assertTrue(queue.await(self.deadline(Ranks.PATIENCE))));
              rank.pause(5);
              long start = rank.mesh().clock().nanoTime();
              List<Ranks.Fork> closers = new ArrayList<>();
              for (int i = 0; i < 8; i++) {
                closers.add(rank.fork("closer" + i, self -> self.mesh().close()));
              }
              closers.forEach(Ranks.Fork::join);
              waiter.join();
              long took = rank.mesh().clock().nanoTime() - start;
              assertTrue(took < Ranks.PATIENCE.toNanos() / 2, took + " ns to close");
              assertEquals(Request.State.FAILED, queue.poll().state());
              assertInstanceOf(ClosedException.class, recv.failure());
              rank.mesh().close();
              rank.device().close();
              rank.device().close();
              rank.meet();
            });
  }

  @Test
  default void nothingWorksAfterClosing() {
    ranks(2)
        .run(
            rank -> {
              Pair pair = rank.mesh().pair(1 - rank.rank());
              Area area = rank.area(8);
              rank.meet();
              rank.mesh().close();
              for (Request late : List.of(rank.request(1, area), rank.request(2, area))) {
                pair.recv(late);
                rank.fails(ClosedException.class, late);
                pair.send(late);
                rank.fails(ClosedException.class, late);
                rank.mesh().recvAny(late, Rank.set(1 - rank.rank()));
                rank.fails(ClosedException.class, late);
              }
              assertThrows(
                  ClosedException.class,
                  () -> rank.mesh().connect(rank.addresses("world"), Duration.ofSeconds(1)));
              rank.device().close();
              assertThrows(
                  ClosedException.class,
                  () -> rank.device().newMesh(new Membership("late", 0, 0, 1)));
            });
  }

  @Test
  default void closingTheDeviceClosesItsMeshes() {
    ranks(2)
        .run(
            rank -> {
              Mesh other = rank.connectAnother("other");
              CompletionQueue queue = other.newQueue();
              Buffer buffer = other.newBuffer().wrap(rank.area(8).address(), 8, null);
              Request recv = queue.newRequest().message(1, buffer, 0, 8);
              other.pair(1 - rank.rank()).recv(recv);
              rank.meet();
              rank.device().close();
              assertTrue(queue.await(rank.deadline(Ranks.PATIENCE)));
              assertEquals(recv, queue.poll());
              assertInstanceOf(JGlooException.class, recv.failure());
            });
  }

  @Test
  default void requestsForADepartedPeerFail() {
    needs(Ability.GOODBYES);
    ranks(3)
        .run(
            rank -> {
              if (rank.rank() == 2) {
                rank.meet();
                rank.device().close();
                return;
              }
              Request needed = rank.recv(rank.rank() == 0 ? 2 : 0, 1, rank.area(8));
              rank.meet();
              if (rank.rank() == 0) {
                PeerDepartedException failure = rank.fails(PeerDepartedException.class, needed);
                assertEquals(2, failure.peer());
                assertInstanceOf(PeerDepartedException.class, rank.mesh().failure().orElseThrow());
                Request later = rank.send(1, 1, rank.area(8));
                assertEquals(2, rank.fails(PeerLostException.class, later).peer());
                return;
              }
              // Rank 1 waits for rank 0 only, and gets from it the rank that caused the failure.
              assertEquals(2, rank.fails(PeerLostException.class, needed).peer());
            });
  }

  @Test
  default void laterRequestsForADepartedPeerFail() {
    needs(Ability.GOODBYES);
    ranks(2)
        .run(
            rank -> {
              if (rank.rank() == 1) {
                rank.device().close();
                rank.meet();
                return;
              }
              rank.meet();
              Request asked = rank.recv(1, 1, rank.area(8));
              assertEquals(1, rank.fails(PeerDepartedException.class, asked).peer());
            });
  }

  @Test
  default void receivesFromAnyFailWhenAllOfTheirSetAreGone() {
    ranks(4)
        .run(
            rank -> {
              if (rank.rank() == 0) {
                Request any = rank.recvAny(1, rank.area(8), 1, 2);
                rank.meet();
                PeerLostException gone = rank.fails(PeerLostException.class, any);
                if (abilities().contains(Ability.GOODBYES)) {
                  assertInstanceOf(PeerDepartedException.class, gone);
                }
                return;
              }
              rank.meet();
              if (rank.rank() < 3) {
                rank.device().close();
              } else {
                rank.fails(PeerLostException.class, rank.recv(0, 1, rank.area(8)));
              }
            });
  }

  /** Ranks finish at different times: a rank that has left and is not needed fails no request. */
  @Test
  default void theDepartedAreNotMissedByThoseWhoDoNotNeedThem() {
    ranks(3)
        .run(
            rank -> {
              if (rank.rank() == 2) {
                rank.complete(rank.send(0, 4, rank.area(100).fill(2)));
                rank.device().close();
                rank.meet();
                rank.meet();
                return;
              }
              if (rank.rank() == 0) {
                Area last = rank.area(100);
                rank.complete(rank.recv(2, 4, last));
                last.check(2);
              }
              rank.meet();
              int peer = 1 - rank.rank();
              for (int i = 0; i < 50; i++) {
                Area in = rank.area(1000);
                Request recv = rank.recv(peer, 1, in);
                rank.complete(recv, rank.send(peer, 1, rank.area(1000).fill(i)));
                in.check(i);
              }
              assertTrue(rank.mesh().failure().isEmpty());
              rank.meet();
            });
  }

  @Test
  default void messagesSentBeforeCloseArrive() {
    ranks(2)
        .run(
            rank -> {
              int count = 100;
              if (rank.rank() == 1) {
                for (int i = 0; i < count; i++) {
                  rank.complete(rank.send(0, 4, rank.area(64).fill(i)));
                }
                rank.device().close();
                return;
              }
              for (int i = 0; i < count; i++) {
                Area in = rank.area(64);
                rank.complete(rank.recv(1, 4, in));
                in.check(i);
              }
            });
  }

  /** Closing waits for a reduction, so inside one another thread does it, when it has returned. */
  @ParameterizedTest
  @CsvSource({"4,false", "1000000,false", "4,true", "1000000,true"})
  default void closingInsideAReductionFreesNothingUnderIt(int bytes, boolean early) {
    ranks(2)
        .run(
            rank -> {
              if (rank.rank() == 1) {
                Request send = rank.send(0, 1, rank.area(bytes));
                rank.end(send);
                rank.meet();
                return;
              }
              Request recv = rank.request(1, rank.area(bytes));
              AtomicBoolean endedUnderIt = new AtomicBoolean();
              Reduction closing =
                  new Reduction() {
                    @Override
                    public void reduce(long target, long source, long length) {
                      rank.mesh().close();
                      rank.mesh().close();
                      if (recv.isDone()) {
                        endedUnderIt.set(true); // its owner may free the target now
                      }
                      for (long at = 0; at < length; at += granule()) {
                        Memory.putInt(target + at, Memory.getInt(source + at));
                      }
                    }

                    @Override
                    public int granule() {
                      return 4;
                    }
                  };
              if (early) {
                rank.pause(20);
                rank.queue().progress();
              }
              rank.recv(1, recv.reducing(closing));
              rank.end(recv);
              assertFalse(endedUnderIt.get(), "the receive ended before its reduction");
              rank.mesh().close();
              rank.fails(ClosedException.class, rank.recv(1, 2, rank.area(8)));
              rank.meet();
            });
  }
}
