package io.jgloo.ps;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.node.Role;
import io.jgloo.transport.memory.Memory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The example in threads of one JVM. */
@Timeout(100)
final class AcceptanceTest {

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "4, 8"})
  void errorsAreZero(int servers, int workers) throws Exception {
    run(servers, workers, 10_000);
  }

  private static void run(int servers, int workers, int keys) throws Exception {
    long before = Memory.allocatedBytes();
    try (Cluster cluster =
        Cluster.start(
            servers,
            workers,
            node -> Acceptance.serve(node, node.role(), node.role() == Role.SERVER ? 2 : 0))) {
      cluster.atWorkers(
          node ->
              Acceptance.run(
                  KvWorker.open(node, Acceptance.APP, ValueType.FLOATS), keys, node.id().rank()));
      cluster.finish();
    }
    assertEquals(before, Memory.allocatedBytes(), "bytes of memory that are left");
  }
}
