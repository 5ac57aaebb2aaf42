package io.jgloo.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rpc.RpcRegistry.Execution;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Codecs;
import io.jgloo.transport.memory.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many references and large values.
 *
 * <p>{@code -Djgloo.rref.references=1000000} makes more references, {@code
 * -Djgloo.rref.bytes=1073741824} a larger value.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class RRefLoadTest {

  private static final boolean FULL = Boolean.getBoolean("jgloo.test.full");
  private static final int THREADS = 2;
  private static final int EACH = 8;
  private static final int IN_FLIGHT = THREADS * EACH;
  private static final RpcFunction<Long, Long> TWICE =
      new RpcFunction<>("twice", Codecs.LONG, Codecs.LONG);
  private static final RpcFunction<Long, Block> FILL =
      new RpcFunction<>("fill", Codecs.LONG, Codecs.BLOCK);

  private static RpcRegistry functions() {
    return new RpcRegistry()
        .register(TWICE, (context, value) -> 2 * value, Execution.DIRECT)
        .register(
            FILL,
            (context, length) -> {
              Block block = Block.allocate(length);
              for (long at = 0; at < length; at += Long.BYTES) {
                Memory.putLong(block.address() + at, at);
              }
              return block;
            });
  }

  @Test
  void rr24_manyShortReferences_leaveNothing() throws Exception {
    int references = Integer.getInteger("jgloo.rref.references", FULL ? 20_000 : 2000);
    try (Agents two = new Agents(2, rank -> functions())) {
      long begin = System.nanoTime();
      List<CompletableFuture<Void>> ends = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        ends.add(
            CompletableFuture.runAsync(
                () -> makeAndClose(two, references / IN_FLIGHT),
                task -> new Thread(task, "references").start()));
      }
      for (CompletableFuture<Void> end : ends) {
        end.get(9, TimeUnit.MINUTES);
      }
      long nanos = System.nanoTime() - begin;
      two.awaitQuiet();
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      System.out.printf(
          "RR24: %d references, %d each second, heap %d MiB%n",
          references,
          references * 1_000_000_000L / nanos,
          (runtime.totalMemory() - runtime.freeMemory()) >> 20);
      long made = (long) IN_FLIGHT * (references / IN_FLIGHT);
      Agents.await("all values are dropped", () -> two.count(1, "dropped") == made);
      assertTrue(two.count(1, "tombstoneNodes") <= 16, () -> two.refs(1).counts().toString());
    }
  }

  private static void makeAndClose(Agents two, int rounds) {
    List<RRef<Long>> refs = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      for (long k = 0; k < EACH; k++) {
        refs.add(two.refs(0).remote(two.id(1), TWICE, k));
      }
      for (int k = 0; k < EACH; k++) {
        assertEquals(2L * k, refs.get(k).toHere());
        refs.get(k).close();
      }
      refs.clear();
    }
  }

  @Test
  void rr26_largeValue_isSentFromTheOwnersMemoryAndFreed() throws Exception {
    long bytes = Long.getLong("jgloo.rref.bytes", 64L << 20);
    long before = Memory.allocatedBytes();
    try (Agents two = new Agents(2, rank -> functions())) {
      RRef<Block> ref = two.refs(0).remote(two.id(1), FILL, bytes);
      ref.confirmed().get(30, TimeUnit.SECONDS);
      for (int i = 0; i < 2; i++) {
        long begin = System.nanoTime();
        try (Block copy = ref.toHere()) {
          long nanos = System.nanoTime() - begin;
          System.out.printf("RR26: %d bytes, %d MiB/s%n", bytes, bytes * 1000 / nanos * 954 / 1000);
          assertEquals(bytes, copy.length());
          for (long at = 0; at < bytes; at += 4096) {
            assertEquals(at, Memory.getLong(copy.address() + at));
          }
        }
      }
      ref.close();
      two.awaitQuiet();
      assertEquals(List.of(true, true), two.shutdown(Agents.PATIENCE));
    }
    assertEquals(before, Memory.allocatedBytes(), "off-heap memory");
  }
}
