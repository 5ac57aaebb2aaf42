package io.jgloo.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.memory.Memory;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** Receives from any of a set: whole, from the set only, and no rank starves. */
public interface ReceiveAnyContract extends DeviceUnderTest {

  @Test
  default void tellsWhoSent() {
    ranks(4)
        .run(
            rank -> {
              if (rank.rank() > 0) {
                rank.complete(rank.send(0, 7, rank.area(5000L + rank.rank()).fill(rank.rank())));
                return;
              }
              BitSet heard = new BitSet();
              for (int i = 0; i < 3; i++) {
                Area in = rank.area(5010);
                Request recv = rank.request(7, in).allowShorter();
                rank.mesh().recvAny(recv, Rank.set(1, 2, 3));
                rank.complete(recv);
                assertEquals(5000 + recv.peer(), recv.transferred());
                in.check(recv.peer(), recv.transferred());
                heard.set(recv.peer());
              }
              assertEquals(Rank.set(1, 2, 3), heard);
            });
  }

  @Test
  default void takesTheEarliest() {
    ranks(3)
        .run(
            rank -> {
              if (rank.rank() == 0) {
                rank.hear(2, 1);
                rank.send(1, 1, rank.area(1));
                rank.hear(1, 1);
                Area in = rank.area(8);
                Request first = rank.recvAny(5, in, 1, 2);
                rank.complete(first);
                assertEquals(2, first.peer());
                Request second = rank.recvAny(5, in, 1, 2);
                rank.complete(second);
                assertEquals(1, second.peer());
              } else {
                if (rank.rank() == 1) {
                  rank.hear(0, 1);
                }
                rank.send(0, 5, rank.area(8));
                rank.send(0, 1, rank.area(1));
              }
              rank.meet(); // what was sent moves without a thread that waits
            });
  }

  @Test
  default void listensOnlyToItsSet() {
    ranks(3)
        .run(
            rank -> {
              if (rank.rank() == 0) {
                Area fromTwo = rank.area(8);
                Request recv = rank.recvAny(5, fromTwo, 2);
                rank.hear(1, 1);
                assertFalse(recv.isDone());
                assertEquals(-1, recv.peer());
                rank.send(2, 1, rank.area(1));
                rank.complete(recv);
                assertEquals(2, recv.peer());
                fromTwo.check(2);
                Area fromOne = rank.area(8);
                rank.complete(rank.recv(1, 5, fromOne));
                fromOne.check(1);
              } else {
                if (rank.rank() == 2) {
                  rank.hear(0, 1);
                }
                rank.send(0, 5, rank.area(8).fill(rank.rank()));
                if (rank.rank() == 1) {
                  rank.send(0, 1, rank.area(1));
                }
              }
              rank.meet();
            });
  }

  /** Receives from any and directed ones on one slot are served in the order of posting. */
  @Test
  default void keepsItsPlaceAmongDirectedReceives() {
    ranks(2)
        .run(
            rank -> {
              for (int round = 0; round < 12; round++) {
                Area[] areas = new Area[6];
                Request[] requests = new Request[6];
                for (int i = 0; i < 6; i++) {
                  areas[i] = rank.area(100);
                  if (rank.rank() == 1) {
                    requests[i] = rank.send(0, 5, areas[i].fill(i));
                  } else if (i % 3 == round % 3) {
                    requests[i] = rank.recvAny(5, areas[i], 1);
                  } else {
                    requests[i] = rank.recv(1, 5, areas[i]);
                  }
                }
                rank.complete(requests);
                for (int i = 0; i < 6; i++) {
                  areas[i].check(i);
                }
                rank.free(areas);
              }
            });
  }

  /** Each peer keeps sixteen messages under way; none may be left behind for good. */
  @Test
  default void noRankStarves() {
    int turns = 200;
    int window = 16;
    ranks(4)
        .run(
            rank -> {
              Area area = rank.area(8);
              if (rank.rank() > 0) {
                for (int i = 0; i < window; i++) {
                  rank.send(0, 5, area);
                }
                Area answer = rank.area(1);
                Request go = rank.queue().newRequest();
                while (true) {
                  rank.complete(rank.recv(0, go.message(6, answer.buffer(), 0, 1)));
                  if (answer.bytes(0, 1)[0] == 0) {
                    return;
                  }
                  rank.send(0, 5, area);
                }
              }
              int[] served = new int[4];
              Area more = rank.area(1);
              Memory.putByte(more.address(), (byte) 1);
              int total = 0;
              while (Math.min(served[1], Math.min(served[2], served[3])) < turns) {
                Request recv = rank.recvAny(5, area, 1, 2, 3);
                rank.complete(recv);
                served[recv.peer()]++;
                assertTrue(++total < 1000 * turns, "a rank starves");
                rank.complete(rank.send(recv.peer(), 6, more));
              }
              Memory.putByte(more.address(), (byte) 0);
              for (int peer = 1; peer < 4; peer++) {
                rank.complete(rank.send(peer, 6, more));
              }
            });
  }

  @Test
  default void isWithdrawnEverywhere() {
    ranks(3)
        .run(
            rank -> {
              if (rank.rank() == 0) {
                Area untouched = rank.area(8).fill(99);
                Request any = rank.recvAny(5, untouched, 1, 2);
                assertTrue(any.cancel());
                assertEquals(Request.State.CANCELLED, rank.end(any).state());
                assertFalse(any.cancel());
                rank.meet();
                for (int peer = 1; peer < 3; peer++) {
                  Area in = rank.area(8);
                  rank.complete(rank.recv(peer, 5, in));
                  in.check(peer);
                }
                untouched.check(99);
              } else {
                rank.meet();
                rank.complete(rank.send(0, 5, rank.area(8).fill(rank.rank())));
              }
            });
  }

  @Test
  default void refusesSetsThatMakeNoSense() {
    ranks(2)
        .run(
            rank -> {
              Request request = rank.request(1, rank.area(8));
              for (BitSet bad : new BitSet[] {new BitSet(), Rank.set(rank.rank()), Rank.set(2)}) {
                assertThrows(
                    IllegalArgumentException.class, () -> rank.mesh().recvAny(request, bad));
              }
              assertEquals(Request.State.IDLE, request.state());
            });
  }
}
