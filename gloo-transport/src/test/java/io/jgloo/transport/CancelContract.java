package io.jgloo.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** A request of which no byte has moved can be withdrawn, and is then as if never posted. */
public interface CancelContract extends DeviceUnderTest {

  @Test
  default void withdrawsAReceive() {
    ranks(2)
        .run(
            rank -> {
              if (rank.rank() == 0) {
                Area[] areas = new Area[3];
                Request[] recvs = new Request[3];
                for (int i = 0; i < 3; i++) {
                  areas[i] = rank.area(1000).fill(50 + i);
                  recvs[i] = rank.recv(1, 5, areas[i]);
                }
                assertTrue(recvs[1].cancel());
                assertTrue(recvs[1].isDone());
                assertEquals(Request.State.CANCELLED, rank.end(recvs[1]).state());
                rank.meet();
                rank.complete(recvs[0], recvs[2]);
                areas[0].check(0);
                areas[1].check(51);
                areas[2].check(1);
                assertFalse(recvs[0].cancel());
                assertFalse(recvs[1].cancel());
                assertEquals(Request.State.DONE, recvs[0].state());
                rank.recv(1, recvs[1]);
                rank.tell(1, 1);
                rank.complete(recvs[1]);
                areas[1].check(2);
              } else {
                rank.meet();
                for (int i = 0; i < 2; i++) {
                  rank.complete(rank.send(0, 5, rank.area(1000).fill(i)));
                }
                rank.hear(0, 1);
                rank.complete(rank.send(0, 5, rank.area(1000).fill(2)));
              }
            });
  }

  @Test
  default void aRacingReceiveIsEitherDoneOrWithdrawn() {
    int messages = Ranks.FULL ? 400 : 100;
    ranks(2)
        .run(
            rank -> {
              for (int bytes : new int[] {16, 200_000}) {
                if (rank.rank() == 1) {
                  for (int i = 0; i < messages; i++) {
                    Area out = rank.area(bytes).fill(i);
                    rank.complete(rank.send(0, bytes, out));
                    rank.free(out);
                  }
                  continue;
                }
                Area in = rank.area(bytes);
                Request recv = rank.request(bytes, in);
                for (int next = 0; next < messages; ) {
                  recv.message(bytes, in.buffer(), 0, bytes);
                  in.fill(-9);
                  rank.recv(1, recv);
                  rank.queue().progress();
                  boolean withdrawn = recv.cancel();
                  rank.end(recv);
                  if (withdrawn) {
                    assertEquals(Request.State.CANCELLED, recv.state());
                    in.check(-9);
                  } else {
                    assertEquals(Request.State.DONE, recv.state());
                    in.check(next++);
                  }
                }
              }
            });
  }

  @Test
  default void aSendIsEitherWithdrawnOrArrives() {
    ranks(2)
        .run(
            rank -> {
              for (int bytes : new int[] {8, 5000, 300_000}) {
                if (rank.rank() == 0) {
                  Request first = rank.send(1, 5, rank.area(bytes).fill(1));
                  boolean withdrawn = first.cancel();
                  Request second = rank.send(1, 5, rank.area(bytes).fill(2));
                  rank.complete(rank.send(1, withdrawn ? 6 : 7, rank.area(1)));
                  rank.complete(second);
                  rank.end(first);
                  assertEquals(
                      withdrawn ? Request.State.CANCELLED : Request.State.DONE, first.state());
                  rank.hear(1, 8);
                } else {
                  Area in = rank.area(1);
                  Request withdrawn = rank.recv(0, 6, in);
                  Request arrives = rank.recv(0, 7, rank.area(1));
                  assertTrue(rank.queue().await(rank.deadline(Ranks.PATIENCE)));
                  Area message = rank.area(bytes);
                  boolean taken = arrives.isDone();
                  rank.end(taken ? arrives : withdrawn);
                  if (taken) {
                    rank.complete(rank.recv(0, 5, message));
                    message.check(1);
                  }
                  rank.complete(rank.recv(0, 5, message));
                  message.check(2);
                  Request other = taken ? withdrawn : arrives;
                  assertTrue(other.cancel());
                  rank.end(other);
                  rank.tell(0, 8);
                }
              }
            });
  }
}
