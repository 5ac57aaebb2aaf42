package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.OperationTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In a ring only one rank waits for the late one; all name it. */
@Timeout(120)
class LateRankTest {

  private static final int LATE = 2;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void lateRankIsNamedByRanksThatWaitForOthers(boolean started) {
    DeviceOptions loopback = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1");
    try (Ranks ranks = Ranks.on(Devices.open("tcp", loopback), 5, Duration.ofSeconds(30))) {
      CountDownLatch over = new CountDownLatch(4);
      List<Throwable> failures =
          ranks.outcomes(
              (group, rank) -> {
                group.barrier();
                if (rank == LATE) {
                  over.await();
                }
                ProcessGroup ring =
                    group.with(
                        CallOptions.DEFAULTS.timeout(Duration.ofSeconds(2)).algorithm("ring"));
                try {
                  allreduce(ring, started);
                } finally {
                  over.countDown();
                }
              });
      for (int rank = 0; rank < failures.size(); rank++) {
        OperationTimeoutException failure =
            assertInstanceOf(OperationTimeoutException.class, failures.get(rank));
        List<Integer> named = rank == LATE ? List.of() : List.of(LATE);
        assertEquals(named, failure.missingPeers(), failure.getMessage());
        assertTrue(failure.isConfirmed(), failure.getMessage());
      }
    }
  }

  private static void allreduce(ProcessGroup group, boolean started) {
    double[] vector = new double[300];
    if (started) {
      group.async().allreduce(Payload.of(vector), ReduceOp.SUM).await();
    } else {
      group.allreduce(vector, ReduceOp.SUM);
    }
  }
}
