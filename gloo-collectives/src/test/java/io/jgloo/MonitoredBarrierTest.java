package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.OperationTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A monitored barrier names all missing ranks to all others, and the group remains usable. */
@Timeout(60)
class MonitoredBarrierTest {

  /** Long enough for all who come to arrive on a busy machine. */
  private static final Duration SHORT = Duration.ofSeconds(2);

  private static final Duration LONG = Duration.ofSeconds(20);

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 9})
  void allArrive(int size) {
    try (Ranks ranks = Ranks.of(size)) {
      ranks.each(
          (group, rank) -> {
            for (int i = 0; i < 20; i++) {
              group.monitoredBarrier(LONG);
            }
          });
    }
  }

  @Test
  void missingRanksAreReportedToAllOthers() {
    try (Ranks ranks = Ranks.of(5)) {
      CountDownLatch reported = new CountDownLatch(3);
      List<Throwable> failures =
          ranks.outcomes(
              (group, rank) -> {
                if (rank == 2 || rank == 4) {
                  assertTrue(reported.await(20, TimeUnit.SECONDS)); // late, and not for good
                }
                try {
                  group.monitoredBarrier(SHORT);
                } finally {
                  reported.countDown();
                }
              });
      for (int rank = 0; rank < 5; rank++) {
        OperationTimeoutException failure =
            assertInstanceOf(OperationTimeoutException.class, failures.get(rank));
        assertEquals(List.of(2, 4), failure.missingPeers(), failure.getMessage());
        assertEquals(rank == 2 || rank == 4, failure.getMessage().contains("this one"));
        assertTrue(failure.getMessage().contains("monitoredBarrier"), failure.getMessage());
      }
      afterwardsAllIsWell(ranks);
    }
  }

  @Test
  void rankZeroMayBeTheOneThatIsMissing() {
    try (Ranks ranks = Ranks.of(3)) {
      CountDownLatch reported = new CountDownLatch(2);
      List<Throwable> failures =
          ranks.outcomes(
              (group, rank) -> {
                if (rank == 0) {
                  assertTrue(reported.await(20, TimeUnit.SECONDS));
                  group.monitoredBarrier(LONG); // the others' reports are here already
                } else {
                  try {
                    group.monitoredBarrier(Duration.ofMillis(50));
                  } finally {
                    reported.countDown();
                  }
                }
              });
      assertNull(failures.get(0));
      for (int rank = 1; rank < 3; rank++) {
        OperationTimeoutException failure =
            assertInstanceOf(OperationTimeoutException.class, failures.get(rank));
        assertEquals(List.of(0), failure.missingPeers());
      }
      afterwardsAllIsWell(ranks);
    }
  }

  private static void afterwardsAllIsWell(Ranks ranks) {
    ranks.each(
        (group, rank) -> {
          group.monitoredBarrier(LONG);
          int[] x = {1};
          group.allreduce(x, ReduceOp.SUM);
          assertEquals(group.size(), x[0]);
          assertTrue(group.failure().isEmpty());
        });
  }
}
