package io.jgloo.transport;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages that arrive before their receive is posted are kept, in bounded memory. */
public interface UnexpectedContract extends DeviceUnderTest {

  @Test
  default void everySizeBeforeItsReceive() {
    ranks(2)
        .run(
            rank -> {
              for (long bytes : MessageContract.SIZES) {
                Area area = rank.area(bytes);
                if (rank.rank() == 0) {
                  Request early = rank.send(1, 1, area.fill(bytes));
                  rank.tell(1, 2);
                  rank.complete(early);
                } else {
                  rank.hear(0, 2);
                  rank.complete(rank.recv(0, 1, area));
                  area.check(bytes);
                }
                rank.free(area);
              }
            });
  }

  /** What is beyond a budget (4 MiB) is asked for one by one, there and back. */
  @ParameterizedTest
  @CsvSource({"2000, 20", "1300, 4096", "80, 100000"})
  default void moreThanAnyBudget(int count, int bytes) {
    ranks(2).run(rank -> flood(rank, Ranks.FULL ? 4 * count : count, bytes));
  }

  @Test
  default void floodsBothWays() {
    needs(Ability.UNASKED);
    ranks(2)
        .run(
            rank -> {
              int peer = 1 - rank.rank();
              int count = Ranks.FULL ? 3000 : 1100;
              Area out = rank.area(4096).fill(rank.rank());
              List<Request> sends = new ArrayList<>();
              for (int i = 0; i < count; i++) {
                sends.add(rank.send(peer, 8, out));
              }
              rank.tell(peer, 9);
              rank.hear(peer, 9);
              Area in = rank.area(4096);
              for (int i = 0; i < count; i++) {
                rank.complete(rank.recv(peer, 8, in));
              }
              in.check(peer);
              rank.complete(sends.toArray(Request[]::new));
            });
  }

  /** Rank 0 floods one slot; rank 1 first takes what comes later, on others, both ways. */
  private static void flood(Rank rank, int count, int bytes) {
    if (rank.rank() == 0) {
      Area all = rank.area((long) count * bytes).fill(count);
      List<Request> sends = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Request send = rank.queue().newRequest().message(1, all.buffer(), (long) i * bytes, bytes);
        sends.add(rank.send(1, send));
      }
      Area large = rank.area(500_000).fill(-3);
      Request overtaking = rank.send(1, 2, large);
      rank.hear(1, 3);
      rank.complete(overtaking);
      rank.complete(sends.toArray(Request[]::new));
    } else {
      Area large = rank.area(500_000);
      rank.complete(rank.recv(0, 2, large));
      large.check(-3);
      rank.tell(0, 3);
      Area all = rank.area((long) count * bytes);
      Request recv = rank.queue().newRequest();
      for (int i = 0; i < count; i++) {
        rank.complete(rank.recv(0, recv.message(1, all.buffer(), (long) i * bytes, bytes)));
      }
      all.check(count);
    }
  }
}
