package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Calls on more than 2^32 elements between two ranks. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "maps a memfd")
@Tag("full")
@Timeout(value = 1100, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HugeVectorsTest {
  /**
   * Longer than segments, and no multiple of one or of a page; whole words for each of two ranks.
   */
  private static final long REST = (32L << 20) + 80_016;

  private static final long BYTES = (1L << 32) + REST;
  private static final Duration LONG = Duration.ofSeconds(1000);

  private interface Body {
    void run(ProcessGroup group, int rank, HugeMemory memory);
  }

  private static void run(boolean thin, Body body) {
    DeviceOptions blocking = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("spin", "0");
    try (HugeMemory first = new HugeMemory(BYTES, thin);
        HugeMemory second = new HugeMemory(BYTES, thin);
        Ranks ranks = Ranks.on(Devices.open("tcp", blocking), 2, LONG)) {
      ranks.each(LONG, (group, rank) -> body.run(group, rank, rank == 0 ? first : second));
    }
  }

  private static Payload payload(HugeMemory memory) {
    return Payload.ofAddress(memory.address(), BYTES, DataType.INT8, memory);
  }

  private static void allreduce(ProcessGroup group, int rank, HugeMemory memory) {
    memory.fill(rank, 0, BYTES);
    group.allreduce(payload(memory), ReduceOp.MAX);
    assertEquals(-1, memory.firstBelow(), "offset of a wrong word");
  }

  @Test
  void broadcast_isExact() {
    run(
        true,
        (group, rank, memory) -> {
          if (rank == 1) {
            memory.fill(1, 0, BYTES);
          }
          group.broadcast(payload(memory), 1);
          assertEquals(-1, memory.firstOther(1), "offset of a wrong word");
        });
  }

  /** A maximum: where addresses share memory, an element may be reduced twice. */
  @Test
  void allreduce_isExact() {
    run(true, HugeVectorsTest::allreduce);
  }

  @Test
  void allgather_isExact() {
    run(
        true,
        (group, rank, memory) -> {
          memory.fill(0, BYTES / 2 * rank, BYTES / 2 * (rank + 1));
          group.allgather(payload(memory));
          assertEquals(-1, memory.firstOther(0), "offset of a wrong word");
        });
  }

  @Test
  void allreduceInSolidMemory_isExact() throws IOException {
    long kib = available();
    assumeTrue(kib > 10L << 20, "needs 10 GiB, " + kib + " KiB are available");
    run(false, HugeVectorsTest::allreduce);
  }

  private static long available() throws IOException {
    return Files.readAllLines(Path.of("/proc/meminfo")).stream()
        .filter(line -> line.startsWith("MemAvailable:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
        .findFirst()
        .orElse(0);
  }
}
