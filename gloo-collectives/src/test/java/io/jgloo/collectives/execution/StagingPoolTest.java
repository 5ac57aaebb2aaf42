package io.jgloo.collectives.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.transport.Allocation;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StagingPoolTest {

  @Test
  void keepsNoMoreThanItsBound() {
    StagingPool pool = new StagingPool(bytes -> null);
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

  @Test
  void largeBlocksAreShared() {
    List<Allocation> made = new ArrayList<>();
    AtomicInteger closed = new AtomicInteger();
    StagingPool pool =
        new StagingPool(
            bytes -> {
              ByteBuffer memory = ByteBuffer.allocateDirect((int) bytes);
              made.add(new Allocation(memory, true, closed::incrementAndGet));
              return made.get(made.size() - 1);
            });
    pool.give(pool.take(1000), 1000);
    assertEquals(0, made.size(), "short");
    long first = pool.take(StagingPool.SHARED_BYTES);
    long second = pool.take(StagingPool.SHARED_BYTES);
    assertEquals(made.get(0).address(), first);
    pool.give(first, StagingPool.SHARED_BYTES);
    assertEquals(first, pool.take(StagingPool.SHARED_BYTES), "it is kept");
    pool.give(first, StagingPool.SHARED_BYTES);
    pool.close();
    assertEquals(1, closed.get());
    pool.give(second, StagingPool.SHARED_BYTES);
    assertEquals(2, closed.get());
  }
}
