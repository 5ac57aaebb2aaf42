package io.jgloo.transport.ibverbs.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Area;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ThreadRanks;
import io.jgloo.transport.ibverbs.SoftRanks;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many calls of libibverbs a short message takes; polls that find nothing are not counted. */
@Timeout(60)
final class NativeCallsTest {

  private static final int ROUNDS = 512;

  @Test
  void eightBytesBackAndForth() {
    SoftFabric fabric = new SoftFabric();
    Map<Integer, CallCounter> counters = new ConcurrentHashMap<>();
    Ranks ranks =
        new ThreadRanks(
            2,
            rank -> {
              CallCounter counter = new CallCounter(new SoftVerbs(fabric));
              counters.put(rank, counter);
              return SoftRanks.prompt().open(counter.verbs());
            });
    ranks.run(
        rank -> {
          Area area = rank.area(8);
          rank.meet();
          counters.get(rank.rank()).reset();
          rank.meet();
          for (int i = 0; i < ROUNDS; i++) {
            if (rank.rank() == 0) {
              rank.complete(rank.send(1, i, area));
              rank.complete(rank.recv(1, i, area));
            } else {
              rank.complete(rank.recv(0, i, area));
              rank.complete(rank.send(0, i, area));
            }
          }
          rank.meet();
        });
    for (CallCounter counter : counters.values()) {
      Map<String, Long> counts = counter.counts();
      System.getLogger(NativeCallsTest.class.getName())
          .log(System.Logger.Level.INFO, "{0} messages each way: {1}", ROUNDS, counts);
      assertEquals(ROUNDS, counts.get("postSend"), counts::toString);
      // Eight slots at a time.
      assertTrue(counts.get("postReceive") <= ROUNDS / 8 + 1, counts::toString);
      // A message that has come, and now and then what tells that sends are complete.
      assertTrue(counts.get("poll") <= ROUNDS + ROUNDS / 8, counts::toString);
    }
  }
}
