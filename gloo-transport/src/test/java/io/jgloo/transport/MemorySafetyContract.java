package io.jgloo.transport;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * When close or abort returns, and when a request has ended, user memory is the user's again:
 * memory of a tensor that is freed too early is a crash and not an exception.
 */
public interface MemorySafetyContract extends DeviceUnderTest {

  @ParameterizedTest
  @ValueSource(ints = {8, 8_000_000})
  default void postedReceivesAreDisarmed(int bytes) {
    for (boolean abort : new boolean[] {false, true}) {
      ranks(2)
          .run(
              rank -> {
                Area area = rank.area(bytes);
                if (rank.rank() == 0) {
                  Request recv = rank.recv(1, 1, area);
                  end(rank.mesh(), abort);
                  area.fill(1);
                  assertTrue(recv.isDone());
                  rank.meet();
                  rank.meet();
                  area.check(1);
                } else {
                  rank.meet();
                  rank.end(rank.send(0, 1, area.fill(2)));
                  rank.meet();
                }
              });
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  default void receivesAreDisarmedMidway(boolean abort) {
    int bytes = 8_000_000;
    for (int steps = 0; steps < 8; steps += Ranks.FULL ? 1 : 2) {
      int progress = steps * steps;
      ranks(2)
          .run(
              rank -> {
                Area area = rank.area(bytes);
                if (rank.rank() == 0) {
                  Request recv = rank.recv(1, 1, area);
                  rank.meet();
                  for (int i = 0; i < progress; i++) {
                    rank.queue().progress();
                  }
                  end(rank.mesh(), abort);
                  area.fill(1);
                  assertTrue(recv.isDone());
                  rank.meet();
                  area.check(1);
                } else {
                  Request send = rank.send(0, 1, area.fill(2));
                  rank.meet();
                  rank.end(send);
                  rank.meet();
                }
              });
    }
  }

  /** The other side never takes for good what the sender overwrote after it had closed. */
  @ParameterizedTest
  @ValueSource(ints = {8, 8_000_000})
  default void postedSendsAreDisarmed(int bytes) {
    for (boolean abort : new boolean[] {false, true}) {
      ranks(2)
          .run(
              rank -> {
                Area area = rank.area(bytes);
                if (rank.rank() == 0) {
                  Request send = rank.send(1, 1, area.fill(1));
                  end(rank.mesh(), abort);
                  area.fill(2);
                  assertTrue(send.isDone());
                  rank.meet();
                } else {
                  rank.meet();
                  if (rank.end(rank.recv(0, 1, area)).state() == Request.State.DONE) {
                    area.check(1);
                  }
                }
              });
    }
  }

  @Test
  default void completedSendsMayBeOverwritten() {
    ranks(2)
        .run(
            rank -> {
              for (int bytes : new int[] {8, 2000, 100_000, 3_000_000}) {
                Area area = rank.area(bytes);
                for (int i = 0; i < (Ranks.FULL ? 20 : 5); i++) {
                  if (rank.rank() == 0) {
                    rank.complete(rank.send(1, 1, area.fill(i)));
                    area.fill(-1);
                  } else {
                    rank.complete(rank.recv(0, 1, area));
                    area.check(i);
                  }
                }
              }
            });
  }

  private static void end(Mesh mesh, boolean abort) {
    if (abort) {
      mesh.abort(new UnavailableException("enough of it"));
    } else {
      mesh.close();
    }
  }
}
