package io.jgloo.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Several threads and queues share one mesh; the driver completes the requests of all. */
public interface ThreadsContract extends DeviceUnderTest {

  /** Requests that a thread posts before it waits. */
  int BATCH = 10;

  @Test
  default void fourThreadsExchangeOnTheirOwnSlots() {
    int threads = 4;
    int messages = Ranks.FULL ? 300 : 100;
    ranks(2)
        .run(
            rank -> {
              List<Ranks.Fork> forks = new ArrayList<>();
              for (int thread = 0; thread < threads; thread++) {
                int slot = thread;
                forks.add(rank.fork("t" + thread, self -> exchange(self, slot, messages)));
              }
              forks.forEach(Ranks.Fork::join);
              rank.meet();
            });
  }

  private static void exchange(Rank rank, int slot, int messages) {
    int peer = 1 - rank.rank();
    CompletionQueue queue = rank.mesh().newQueue();
    for (int i = 0; i < messages; i++) {
      int bytes = i % 50 == 0 ? 150_000 : 16 + slot;
      Area in = rank.area(bytes);
      Area out = rank.area(bytes).fill(i + 1000L * slot);
      Request recv = queue.newRequest().message(slot, in.buffer(), 0, bytes);
      Request send = queue.newRequest().message(slot, out.buffer(), 0, bytes);
      rank.recv(peer, recv);
      rank.send(peer, send);
      take(rank, queue);
      take(rank, queue);
      assertEquals(Request.State.DONE, recv.state());
      assertEquals(Request.State.DONE, send.state());
      in.check(i + 1000L * slot);
      rank.free(in, out);
    }
  }

  private static Request take(Rank rank, CompletionQueue queue) {
    Request next = queue.poll();
    while (next == null) {
      assertTrue(queue.await(rank.deadline(Ranks.PATIENCE)), "nothing completes");
      next = queue.poll();
    }
    return next;
  }

  @Test
  default void oneThreadWaitsForWhatAnotherPosts() {
    ranks(2)
        .run(
            rank -> {
              int peer = 1 - rank.rank();
              for (int round = 0; round < 20; round++) {
                CompletionQueue queue = rank.mesh().newQueue();
                Area in = rank.area(round);
                Request recv = queue.newRequest().message(round, in.buffer(), 0, round);
                AtomicBoolean waiting = new AtomicBoolean();
                Ranks.Fork fork =
                    rank.fork(
                        "waiter",
                        self -> {
                          waiting.set(true);
                          assertSame(recv, take(self, queue));
                        });
                rank.until("the thread waits", waiting::get);
                rank.recv(peer, recv);
                rank.send(peer, round, rank.area(round).fill(round));
                fork.join();
                in.check(round);
              }
              rank.meet();
            });
  }

  /** B's message comes first while A may drive; A's comes only after B has answered. */
  @Test
  default void aWaiterIsServedByAnotherDriver() {
    int rounds = 100;
    ranks(2)
        .run(
            rank -> {
              if (rank.rank() == 1) {
                for (int round = 0; round < rounds; round++) {
                  rank.tell(0, 2);
                  rank.hear(0, 3);
                  rank.tell(0, 1);
                }
                return;
              }
              Ranks.Fork first = rank.fork("a", self -> hearOften(self, 1, rounds, -1));
              Ranks.Fork second = rank.fork("b", self -> hearOften(self, 2, rounds, 3));
              first.join();
              second.join();
            });
  }

  private static void hearOften(Rank rank, int slot, int rounds, int answer) {
    CompletionQueue queue = rank.mesh().newQueue();
    Area in = rank.area(1);
    Request request = queue.newRequest();
    for (int round = 0; round < rounds; round++) {
      rank.recv(1, request.message(slot, in.buffer(), 0, 1));
      assertSame(request, take(rank, queue));
      if (answer >= 0) {
        rank.send(1, request.message(answer, in.buffer(), 0, 1));
        assertSame(request, take(rank, queue));
      }
    }
  }

  @Test
  default void twoThreadsWaitOnOneQueue() {
    ranks(2)
        .run(
            rank -> {
              CompletionQueue queue = rank.mesh().newQueue();
              Request recv = queue.newRequest().message(1, rank.area(8).buffer(), 0, 8);
              rank.recv(1 - rank.rank(), recv);
              List<Ranks.Fork> forks = new ArrayList<>();
              for (int thread = 0; thread < 2; thread++) {
                forks.add(
                    rank.fork(
                        "t" + thread,
                        self -> assertTrue(queue.await(self.deadline(Ranks.PATIENCE)))));
              }
              rank.meet();
              rank.complete(rank.send(1 - rank.rank(), 1, rank.area(8)));
              forks.forEach(Ranks.Fork::join);
              assertSame(recv, queue.poll());
              rank.meet();
            });
  }

  /** What two threads post keeps its order, however the posts of all threads are interleaved. */
  @Test
  default void manyThreadsPostOnOneSlot() {
    int threads = 4;
    int messages = 200;
    ranks(2)
        .run(
            rank -> {
              List<Ranks.Fork> forks = new ArrayList<>();
              Set<List<Integer>> arrived = ConcurrentHashMap.newKeySet();
              for (int thread = 0; thread < threads; thread++) {
                int sender = thread;
                forks.add(
                    rank.fork(
                        "t" + thread,
                        rank.rank() == 0
                            ? self -> sendNumbered(self, sender, messages)
                            : self -> receiveNumbered(self, threads, messages, arrived)));
              }
              forks.forEach(Ranks.Fork::join);
              rank.meet();
            });
  }

  private static void sendNumbered(Rank rank, int sender, int messages) {
    CompletionQueue queue = rank.mesh().newQueue();
    for (int first = 0; first < messages; first += BATCH) {
      Area[] batch = new Area[BATCH];
      for (int i = 0; i < BATCH; i++) {
        batch[i] = rank.area(64).ints(sender, first + i);
      }
      postAndWait(rank, queue, batch, rank.mesh().pair(1)::send);
    }
  }

  /** The numbers of each sender increase in the order in which receives were posted here. */
  private static void receiveNumbered(
      Rank rank, int senders, int messages, Set<List<Integer>> arrived) {
    CompletionQueue queue = rank.mesh().newQueue();
    int[] least = new int[senders];
    for (int first = 0; first < messages; first += BATCH) {
      Area[] batch = new Area[BATCH];
      Arrays.setAll(batch, i -> rank.area(64));
      postAndWait(rank, queue, batch, rank.mesh().pair(0)::recv);
      for (Area each : batch) {
        int sender = each.ints()[0];
        int number = each.ints()[1];
        assertTrue(number >= least[sender], () -> number + " of " + sender + " comes too late");
        assertTrue(arrived.add(List.of(sender, number)), () -> number + " of " + sender + " again");
        least[sender] = number + 1;
      }
    }
  }

  /** Posts all of a batch before it waits for the first. */
  private static void postAndWait(
      Rank rank, CompletionQueue queue, Area[] batch, Consumer<Request> post) {
    for (Area area : batch) {
      post.accept(queue.newRequest().message(7, area.buffer(), 0, area.length()));
    }
    for (int i = 0; i < batch.length; i++) {
      assertEquals(Request.State.DONE, take(rank, queue).state());
    }
  }
}
