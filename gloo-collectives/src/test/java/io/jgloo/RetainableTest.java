package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.Retainable;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.memory.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls retain memory that can be freed explicitly for as long as they run. */
@Timeout(120)
class RetainableTest {

  private static final int SMALL = 16; // done on cells by ranks of one host
  private static final int LARGE = 100_000;

  /** Floats that are freed when they are closed and no call retains them. */
  private static final class Tensor implements Retainable, AutoCloseable {
    private final long address;
    private final int count;
    private final AtomicInteger holders = new AtomicInteger(1);
    private final AtomicInteger calls = new AtomicInteger();

    Tensor(int count, float value) {
      this.count = count;
      address = Memory.allocate(4L * count, Memory.CACHE_LINE);
      for (int i = 0; i < count; i++) {
        Memory.putFloat(address + 4L * i, value);
      }
    }

    Payload payload() {
      return payload(0, count);
    }

    Payload payload(int first, int length) {
      return Payload.ofAddress(address + 4L * first, length, DataType.FLOAT32, this);
    }

    float last() {
      return Memory.getFloat(address + 4L * (count - 1));
    }

    @Override
    public void retain() {
      if (holders.getAndUpdate(held -> held == 0 ? 0 : held + 1) == 0) {
        throw new IllegalStateException("tensor is closed");
      }
      calls.incrementAndGet();
    }

    @Override
    public void release() {
      if (holders.decrementAndGet() == 0) {
        Memory.free(address);
      }
    }

    @Override
    public void close() {
      release();
    }
  }

  @Test
  void eachCall_retainsItsMemoryUntilItsEnd() {
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            for (int count : new int[] {SMALL, LARGE}) {
              try (Tensor x = new Tensor(count, rank + 1);
                  Tensor y = new Tensor(count, 0)) {
                Payload input = x.payload();
                Payload output = y.payload();
                group.allreduce(input, ReduceOp.SUM);
                calls(1, 0, x, y);
                group.async().allreduce(input, output, ReduceOp.SUM).await();
                calls(2, 1, x, y);
                group.allreduce(List.of(input), List.of(output), ReduceOp.MAX);
                calls(3, 2, x, y);
                assertEquals(3, y.last());
                exchange(group, 1 - rank, input, output);
                calls(4, 3, x, y);
                group.sendRecv(input, rank, output, rank, 0); // to itself: a copy
                calls(5, 4, x, y);
                group.allreduce(
                    Payload.ofAll(List.of(x.payload(0, 5), x.payload(5, 5))), ReduceOp.SUM);
                calls(7, 4, x, y); // both parts
                group.allreduce(
                    Payload.ofAll(List.of(x.payload(0, 3), y.payload(5, 5))), ReduceOp.SUM);
                calls(8, 5, x, y);
                assertEquals(1, x.holders.get());
                assertEquals(1, y.holders.get());
              }
            }
          });
    }
  }

  private static void exchange(ProcessGroup group, int peer, Payload sent, Payload received) {
    if (peer == 0) {
      group.send(sent, peer, 7);
      group.recv(received, peer, 8);
    } else {
      group.recv(received, peer, 7);
      group.send(sent, peer, 8);
    }
  }

  private static void calls(int ofX, int ofY, Tensor x, Tensor y) {
    assertEquals(List.of(ofX, ofY), List.of(x.calls.get(), y.calls.get()));
  }

  @Test
  void memoryClosedUnderARunningCall_isFreedAtItsEnd() {
    CountDownLatch closed = new CountDownLatch(1);
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            if (rank == 1) {
              closed.await();
            }
            Tensor x = new Tensor(LARGE, rank + 1);
            Work work = group.async().allreduce(x.payload(), ReduceOp.SUM);
            x.close();
            if (rank == 0) {
              assertEquals(1, x.holders.get()); // the call's: the other rank has not joined
              closed.countDown();
            }
            work.await();
            assertEquals(0, x.holders.get());
          });
    }
  }

  @Test
  void closedMemory_isRefusedBeforeTheCallStarts() {
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            Tensor open = new Tensor(SMALL, 2);
            Tensor closed = new Tensor(SMALL, 1);
            Payload input = open.payload();
            Payload gone = closed.payload();
            closed.close();
            List<Runnable> calls =
                List.of(
                    () -> group.allreduce(input, gone, ReduceOp.SUM),
                    () -> group.async().allreduce(input, gone, ReduceOp.SUM),
                    () -> group.send(gone, 1 - rank, 3),
                    () -> group.sendRecv(input, rank, gone, rank, 3),
                    () -> group.allreduce(List.of(input), List.of(gone), ReduceOp.SUM),
                    () -> group.broadcast(Payload.ofAll(List.of(input, gone)), 0));
            for (Runnable call : calls) {
              assertEquals(
                  "tensor is closed",
                  assertThrows(IllegalStateException.class, call::run).getMessage());
              assertEquals(1, open.holders.get());
            }
            group.allreduce(input, ReduceOp.SUM); // the group lives on
            assertEquals(4, open.last());
            open.close();
          });
    }
  }

  @Test
  void failedCalls_releaseTheirMemory() {
    List<Tensor> tensors = new ArrayList<>();
    try (Ranks ranks = Ranks.of(2)) {
      ProcessGroup group = ranks.group(0);
      for (int count : new int[] {SMALL, LARGE}) {
        tensors.add(new Tensor(count, 1));
      }
      List<Work> works = new ArrayList<>();
      for (Tensor x : tensors) {
        works.add(group.async().allreduce(x.payload(), ReduceOp.SUM));
        assertEquals(2, x.holders.get());
      }
      Tensor received = new Tensor(LARGE, 1);
      tensors.add(received);
      works.add(group.async().recv(received.payload(), 1, 4));
      group.abort("for the test");
      for (Work work : works) {
        assertThrows(JGlooException.class, work::await);
      }
      Tensor late = new Tensor(SMALL, 1);
      tensors.add(late);
      assertThrows(JGlooException.class, () -> group.allreduce(late.payload(), ReduceOp.SUM));
    }
    for (Tensor x : tensors) {
      assertEquals(1, x.holders.get());
      x.close();
    }
    assertTrue(tensors.stream().allMatch(x -> x.holders.get() == 0));
  }
}
