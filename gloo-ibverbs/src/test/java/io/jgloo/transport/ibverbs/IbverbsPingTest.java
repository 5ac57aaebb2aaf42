package io.jgloo.transport.ibverbs;

import io.jgloo.transport.Area;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import io.jgloo.transport.ThreadRanks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two ranks, back and forth: the first thing to look at when nothing works. */
@Timeout(60)
final class IbverbsPingTest {

  @Test
  void eachSizeBackAndForth() {
    SoftRanks soft = SoftRanks.prompt();
    Ranks ranks = new ThreadRanks(2, rank -> soft.open());
    ranks.run(
        rank -> {
          int peer = 1 - rank.rank();
          for (int bytes : new int[] {0, 8, 8128, 8129, 300_000, 2_000_000}) {
            for (int round = 0; round < 3; round++) {
              Area area = rank.area(bytes);
              if (rank.rank() == 0) {
                rank.complete(rank.send(peer, 1, area.fill(bytes + round)));
              } else {
                Request recv = rank.recv(peer, 1, area);
                rank.complete(recv);
                area.check(bytes + round);
              }
              rank.free(area);
            }
          }
        });
    soft.check();
  }
}
