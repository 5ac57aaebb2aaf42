package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What holds for the tensors of every runtime.
 *
 * @param <T> a tensor of the runtime
 */
@Timeout(100)
public abstract class TensorContract<T> {

  private static final int COUNT = 1000;
  private static final int LARGE = 4 << 20; // its memory is mapped: once freed, access is fatal
  private static final int ROUNDS = 40;

  /** The types of the runtime that have one of ours. */
  protected abstract List<DataType> types();

  /** A vector whose elements all have that value; of bool, whether it is 1. */
  protected abstract T tensor(DataType type, int count, int value);

  /** What the adapter makes of a tensor. */
  protected abstract Payload payload(T tensor);

  /** Where the runtime says that the tensor lies. */
  protected abstract long address(T tensor);

  /** An element as the runtime reads it. */
  protected abstract double element(T tensor, int index);

  /** Closes the tensor, or tries to. */
  protected abstract void close(T tensor);

  /** Whether the memory of a tensor is not freed when that is closed. */
  protected boolean outlivesClose() {
    return false;
  }

  @Test
  void tensorsOfAllTypes_areReducedInPlace() {
    try (Ranks ranks = Ranks.of(2)) {
      for (DataType type : types()) {
        boolean bool = type == DataType.BOOL;
        ranks.each(
            (group, rank) -> {
              T x = tensor(type, COUNT, bool ? rank : rank + 1);
              Payload payload = payload(x);
              assertEquals(address(x), payload.region().address(), type::toString);
              assertEquals(type, payload.type());
              assertEquals(COUNT, payload.count());
              assertFalse(payload.staged());
              group.allreduce(payload, bool ? ReduceOp.LOR : ReduceOp.SUM);
              assertEquals(address(x), payload.region().address(), type::toString);
              for (int i = 0; i < COUNT; i++) {
                assertEquals(bool ? 1 : 3, element(x, i), type + " " + i);
              }
              close(x);
            });
      }
    }
  }

  @Test
  void tensorClosedUnderARunningCall_keepsItsMemoryUntilTheEnd() {
    CountDownLatch closed = new CountDownLatch(1);
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            if (rank == 1) {
              closed.await();
              T y = tensor(DataType.FLOAT32, LARGE, 2);
              group.allreduce(payload(y), ReduceOp.SUM);
              for (int i = 0; i < LARGE; i += 997) {
                assertEquals(3, element(y, i), "element " + i);
              }
              close(y);
              return;
            }
            T x = tensor(DataType.FLOAT32, LARGE, 1);
            Payload payload = payload(x);
            Work work = group.async().allreduce(payload, ReduceOp.SUM);
            close(x);
            for (int i = 0; i < 4; i++) {
              close(tensor(DataType.FLOAT32, LARGE, 5)); // would overwrite memory that is free
              System.gc();
            }
            closed.countDown();
            work.await();
            close(x);
            if (!outlivesClose()) {
              IllegalStateException refusal =
                  assertThrows(
                      IllegalStateException.class, () -> group.allreduce(payload, ReduceOp.SUM));
              assertTrue(refusal.getMessage().contains("closed"), refusal.getMessage());
            }
          });
    }
  }

  @Test
  void closedTensors_areFreedAfterTheCall() throws IOException {
    Runtime jvm = Runtime.getRuntime();
    assertEquals(jvm.maxMemory(), jvm.totalMemory(), "the heap must not grow: -Xms as -Xmx");
    reduceAndClose(1); // libraries are loaded
    long before = residentBytes(); // with the whole heap: -XX:+AlwaysPreTouch
    reduceAndClose(ROUNDS);
    long allocated = 2L * ROUNDS * 4 * LARGE;
    long kept = residentBytes() - before;
    assertTrue(outlivesClose() || kept < allocated / 2, () -> kept + " bytes of " + allocated);
  }

  private void reduceAndClose(int rounds) {
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            for (int i = 0; i < rounds; i++) {
              T x = tensor(DataType.FLOAT32, LARGE, 1);
              group.allreduce(payload(x), ReduceOp.SUM);
              close(x);
            }
          });
    }
  }

  private static long residentBytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("RssAnon:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
        .findFirst()
        .orElseThrow();
  }

  /** The adapter refuses this tensor, and says so. */
  protected final void refused(String words, T tensor) {
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> payload(tensor));
    assertTrue(refusal.getMessage().contains(words), refusal.getMessage());
  }
}
