package io.jgloo.transport.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.invoke.VarHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ordered accesses to raw memory, on whichever JDK runs the test. */
@Timeout(60)
class MemoryOrderTest {

  private static final int ROUNDS = 2_000;

  @Test
  void values_areStoredAndReplaced() {
    long word = Memory.allocate(8, 8);
    try {
      Memory.putLongRelease(word, -5);
      assertEquals(-5, Memory.getLongAcquire(word));
      assertEquals(-5, Memory.getLong(word));
      assertFalse(Memory.compareAndSetLong(word, 5, 6));
      assertEquals(-5, Memory.getLongAcquire(word));
      assertTrue(Memory.compareAndSetLong(word, -5, Long.MIN_VALUE));
      assertEquals(Long.MIN_VALUE, Memory.getLongAcquire(word));
    } finally {
      Memory.free(word);
    }
  }

  /** Each thread's store is visible to the other one's load, or the other way round. */
  @Test
  void fullFence_ordersAStoreBeforeALoad() throws InterruptedException {
    long words = Memory.allocate(1024, 128);
    try {
      Memory.setZero(words, 1024);
      long[] seen = new long[2 * ROUNDS];
      Thread other = new Thread(() -> storeAndLoad(words, 1, seen));
      other.start();
      storeAndLoad(words, 0, seen);
      other.join();
      for (int i = 0; i < ROUNDS; i++) {
        assertTrue(seen[2 * i] > i || seen[2 * i + 1] > i, "both stores were late in round " + i);
      }
    } finally {
      Memory.free(words);
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // the threads may have one core together
  private static void storeAndLoad(long words, int side, long[] seen) {
    long own = words + 256L * side;
    long others = words + 256L * (1 - side);
    for (int i = 0; i < ROUNDS; i++) {
      Memory.putLongRelease(own, i + 1);
      VarHandle.fullFence();
      seen[2 * i + side] = Memory.getLongAcquire(others);
      while (Memory.getLongAcquire(others) < i + 1) {
        Thread.yield();
      }
    }
  }
}
