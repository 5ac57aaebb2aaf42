package io.jgloo.collectives.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.memory.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class StagingPoolTest {

  @Test
  void blocksComeAgain() {
    StagingPool pool = new StagingPool();
    long first = pool.take(3000);
    pool.give(first, 3000);
    assertEquals(first, pool.take(4000), "one size class");
    pool.give(first, 4000);
    assertTrue(pool.take(5000) != first, "another");
    assertEquals(4096, pool.idleBytes());
    assertEquals(0, pool.take(0));
    pool.close();
  }

  @Test
  void keepsNoMoreThanItsBound() {
    StagingPool pool = new StagingPool();
    long half = StagingPool.KEPT_BYTES / 2;
    long before = Memory.allocatedBytes();
    long[] blocks = {pool.take(half), pool.take(half), pool.take(half)};
    for (long block : blocks) {
      pool.give(block, half);
    }
    assertEquals(StagingPool.KEPT_BYTES, pool.idleBytes());
    assertEquals(StagingPool.KEPT_BYTES, Memory.allocatedBytes() - before);
    long out = pool.take(half);
    pool.close();
    assertEquals(half, Memory.allocatedBytes() - before, "what is out");
    pool.give(out, half);
    assertEquals(before, Memory.allocatedBytes());
  }
}
