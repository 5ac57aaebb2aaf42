package io.jgloo.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.Work;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.transport.DeviceOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls on segments change the memory of the segment, and nothing around it. */
@Timeout(60)
class SegmentsTest {

  private static final int COUNT = 1000;

  @Test
  void nativeSegmentIsReducedInPlace() {
    try (Arena arena = Arena.ofShared()) {
      allreduce(
          DataType.FLOAT32, rank -> arena.allocate(ValueLayout.JAVA_FLOAT, COUNT + 2L), false);
    }
  }

  @Test
  void heapSegmentsAreReduced() {
    allreduce(DataType.FLOAT32, rank -> MemorySegment.ofArray(new float[COUNT + 2]), true);
    allreduce(DataType.FLOAT32, rank -> MemorySegment.ofArray(new byte[4 * (COUNT + 2)]), true);
    allreduce(DataType.INT32, rank -> MemorySegment.ofArray(new int[COUNT + 2]), true);
  }

  private static void allreduce(
      DataType type, Function<Integer, MemorySegment> memory, boolean staged) {
    CompletableFuture<Void> other =
        CompletableFuture.runAsync(() -> rank(1, type, memory.apply(1), staged));
    rank(0, type, memory.apply(0), staged);
    other.join();
  }

  private static final HashStore STORE = new HashStore();

  /** Adds up a part of the segment over two ranks, where each has its rank + 1. */
  private static void rank(int rank, DataType type, MemorySegment all, boolean staged) {
    boolean floats = type == DataType.FLOAT32;
    for (int i = 0; i < COUNT + 2; i++) {
      set(all, floats, i, i == 0 || i == COUNT + 1 ? 9 : rank + 1);
    }
    Payload part = Segments.of(all.asSlice(4, 4L * COUNT), type);
    assertEquals(staged, part.staged());
    assertEquals(COUNT, part.count());
    String name = all.heapBase().map(Object::getClass).map(Class::getName).orElse("native");
    try (ProcessGroup group = connect(rank, name)) {
      group.allreduce(part, ReduceOp.SUM);
      group.barrier();
    }
    for (int i = 0; i < COUNT + 2; i++) {
      assertEquals(i == 0 || i == COUNT + 1 ? 9 : 3, get(all, floats, i), "element " + i);
    }
  }

  private static ProcessGroup connect(int rank, String name) {
    return ProcessGroup.builder()
        .rank(rank)
        .size(2)
        .store(STORE)
        .name(name)
        .device("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1"))
        .connect();
  }

  private static void set(MemorySegment all, boolean floats, int index, int value) {
    if (floats) {
      all.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * index, value);
    } else {
      all.set(ValueLayout.JAVA_INT_UNALIGNED, 4L * index, value);
    }
  }

  private static double get(MemorySegment all, boolean floats, int index) {
    return floats
        ? all.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * index)
        : all.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * index);
  }

  /** Rank 1 joins the call when rank 0 is closing the arena; the call then writes into it. */
  @Test
  void arenaThatIsClosedDuringACall_waitsForItsEnd() throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    CountDownLatch closing = new CountDownLatch(1);
    AtomicReference<Thread> closer = new AtomicReference<>();
    AtomicBoolean joins = new AtomicBoolean();
    Future<Integer> other =
        threads.submit(
            () -> {
              try (ProcessGroup group = connect(1, "closed")) {
                closing.await();
                until(() -> closer.get().getState() == Thread.State.WAITING);
                int[] one = {1};
                joins.set(true);
                group.allreduce(one, ReduceOp.SUM);
                return one[0];
              }
            });
    CallArena arena = new CallArena();
    try (ProcessGroup group = connect(0, "closed")) {
      MemorySegment segment = arena.allocate(ValueLayout.JAVA_INT);
      segment.set(ValueLayout.JAVA_INT, 0, 2);
      Payload payload = Segments.of(segment, DataType.INT32, arena);
      Work call = group.async().allreduce(payload, ReduceOp.SUM);
      closer.set(Thread.currentThread());
      closing.countDown();
      arena.close();
      assertTrue(joins.get(), "the arena was closed while the call ran");
      call.await();
      assertEquals(3, other.get());
      assertThrows(IllegalStateException.class, () -> group.allreduce(payload, ReduceOp.SUM));
    } finally {
      threads.shutdownNow();
    }
  }

  private static void until(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean() && System.nanoTime() - deadline < 0) {
      Thread.onSpinWait();
    }
    assertTrue(condition.getAsBoolean(), "close does not wait");
  }

  @Test
  void segmentOfAnotherArenaIsRefused() {
    try (CallArena one = new CallArena();
        CallArena other = new CallArena()) {
      MemorySegment segment = one.allocate(8);
      assertEquals(2, Segments.of(segment, DataType.INT32, one).count());
      for (CallArena wrong : new CallArena[] {other, null}) {
        IllegalArgumentException refusal =
            assertThrows(
                IllegalArgumentException.class, () -> Segments.of(segment, DataType.INT64, wrong));
        String expected =
            wrong == null ? "arena must not be null" : "allocated by the arena, but is";
        assertTrue(refusal.getMessage().contains(expected), refusal.getMessage());
      }
    }
  }

  @Test
  void unusableSegmentsAreRefused() {
    MemorySegment heap = MemorySegment.ofArray(new float[4]);
    refused("segment must not be null", null, DataType.INT8);
    refused("type must not be null", heap, null);
    refused("must be writable", heap.asReadOnly(), DataType.FLOAT32);
    refused("whole number of FLOAT32, but has 6 bytes", heap.asSlice(0, 6), DataType.FLOAT32);
    refused("of an array of FLOAT64", heap, DataType.FLOAT64);
    refused("from a whole element on", heap.asSlice(2, 8), DataType.FLOAT32);
    refused("of a byte[]", MemorySegment.ofArray(new short[4]), DataType.INT16);
    MemorySegment closed;
    try (Arena arena = Arena.ofConfined()) {
      closed = arena.allocate(8);
      assertFalse(Segments.of(closed, DataType.INT64).staged());
    }
    refused("its arena open", closed, DataType.INT64);
  }

  private static void refused(String words, MemorySegment segment, DataType type) {
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> Segments.of(segment, type));
    assertTrue(refusal.getMessage().contains(words), refusal.getMessage());
  }
}
