package io.jgloo.collectives.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.kernel.Arithmetic;
import io.jgloo.collectives.kernel.Kernels;
import io.jgloo.transport.AbortedException;
import io.jgloo.transport.Clock;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.Device;
import io.jgloo.transport.Devices;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Reduction;
import io.jgloo.transport.capability.Cells;
import io.jgloo.transport.memory.Memory;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ExecutorTest {

  private static final long LIMIT = TimeUnit.SECONDS.toNanos(20);

  private Device device;
  private final List<Executor> executors = new ArrayList<>();

  @BeforeEach
  void open() {
    device = Devices.open("tcp");
  }

  @AfterEach
  void close() {
    executors.forEach(Executor::close);
    device.close();
  }

  private void connect(int size, Arithmetic arithmetic) {
    for (Mesh mesh : Meshes.connect(device, "test", size)) {
      executors.add(new Executor(mesh, arithmetic, CostModel.LOOPBACK_TCP, Dialect.own()));
    }
  }

  /** Heap memory that only counts what is asked of it. */
  private static final class Counting implements Staged {
    final byte[] bytes;
    long loaded;
    long stored;

    Counting(int size) {
      bytes = new byte[size];
    }

    @Override
    public void load(long offset, long target, long length) {
      loaded += length;
      Memory.copy(bytes, (int) offset, target, (int) length);
    }

    @Override
    public void store(long source, long offset, long length) {
      stored += length;
      Memory.copy(source, bytes, (int) offset, (int) length);
    }
  }

  private List<Throwable> allRanks(Function<Integer, Call> calls) {
    List<CompletableFuture<Throwable>> running = new ArrayList<>();
    for (int rank = 0; rank < executors.size(); rank++) {
      int own = rank;
      CompletableFuture<Throwable> outcome = new CompletableFuture<>();
      Thread thread =
          new Thread(
              () -> {
                try {
                  executors.get(own).run(calls.apply(own));
                  outcome.complete(null);
                } catch (Throwable e) {
                  outcome.complete(e);
                }
              },
              "rank " + rank);
      thread.setDaemon(true);
      thread.start();
      running.add(outcome);
    }
    return running.stream().map(CompletableFuture::join).toList();
  }

  private static Call allreduce(Staged heap, int bytes, String algorithm) {
    Call call = new Call().of(Collective.ALLREDUCE, DataType.INT8, ReduceOp.SUM, bytes, 0);
    call.on(null, new Region().staged(heap, bytes));
    return call.by(algorithm, LIMIT);
  }

  @Test
  void arithmeticThatThrowsEndsTheGroupEverywhere() {
    connect(
        3,
        (type, op) ->
            new Reduction() {
              @Override
              public void reduce(long target, long source, long bytes) {
                throw new ArithmeticException("no such sum");
              }

              @Override
              public int granule() {
                return 1;
              }
            });
    List<Throwable> failures =
        allRanks(rank -> allreduce(new Counting(100), 100, "recursiveDoubling"));
    for (Throwable failure : failures) {
      assertInstanceOf(JGlooException.class, failure);
      assertTrue(failure.getMessage().contains("no such sum"), failure::toString);
    }
    assertTrue(failures.stream().anyMatch(AbortedException.class::isInstance));
    assertThrows(
        JGlooException.class, () -> executors.get(0).run(allreduce(new Counting(1), 1, "ring")));
  }

  /** Nothing of the call is left to fail by then; and what it uses is released after it. */
  @Test
  void groupThatIsClosedDuringTheLastReduction_failsTheCallAndIsReleasedLater() {
    CountDownLatch reducing = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    long before = Memory.allocatedBytes();
    connect(
        2,
        (type, op) ->
            new Reduction() {
              @Override
              public void reduce(long target, long source, long bytes) {
                if (Thread.currentThread().getName().equals("rank 0")) {
                  reducing.countDown();
                  try {
                    assertTrue(closed.await(40, TimeUnit.SECONDS));
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                }
              }

              @Override
              public int granule() {
                return 1;
              }
            });
    CompletableFuture<Void> closing =
        CompletableFuture.runAsync(
            () -> {
              try {
                assertTrue(reducing.await(40, TimeUnit.SECONDS));
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              executors.get(0).close();
              closed.countDown();
            });
    List<Throwable> outcomes =
        allRanks(rank -> allreduce(new Counting(1 << 20), 1 << 20, "recursiveDoubling"));
    assertInstanceOf(ClosedException.class, outcomes.get(0));
    closing.join();
    executors.get(1).close();
    while (Memory.allocatedBytes() > before) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  /** Its cells are published, but no list has the call: the other ranks would wait for the rest. */
  @Test
  void memoryThatEndsBetweenTheCellsOfACallAndItsList_endsTheGroupEverywhere() {
    List<Mesh> meshes = Meshes.connect(device, "test", 2);
    AtomicBoolean armed = new AtomicBoolean();
    Clock clock =
        () -> {
          if (armed.get() && isCalledBy("adopt")) {
            throw new OutOfMemoryError("planted");
          }
          return System.nanoTime();
        };
    Mesh first =
        (Mesh)
            Proxy.newProxyInstance(
                Mesh.class.getClassLoader(),
                new Class<?>[] {Mesh.class},
                (proxy, method, arguments) ->
                    method.getName().equals("clock")
                        ? clock
                        : method.invoke(meshes.get(0), arguments));
    for (Mesh mesh : List.of(first, meshes.get(1))) {
      executors.add(new Executor(mesh, Kernels::of, CostModel.LOOPBACK_TCP, Dialect.own()));
    }
    Call[] calls = {allreduce(new Counting(8), 8, null), allreduce(new Counting(8), 8, null)};
    assertEquals(Arrays.asList(null, null), allRanks(rank -> calls[rank])); // agrees on cells
    armed.set(true);
    assertThrows(OutOfMemoryError.class, () -> executors.get(0).run(calls[0]));
    armed.set(false);
    JGlooException told =
        assertThrows(
            JGlooException.class,
            () -> {
              executors.get(1).run(calls[1]); // it has all cells of rank 0, so this may succeed
              executors.get(1).run(calls[1]);
            });
    assertTrue(told.getMessage().contains("rank 0"), told::getMessage);
    assertThrows(JGlooException.class, () -> executors.get(0).run(calls[0]));
  }

  private static boolean isCalledBy(String method) {
    return StackWalker.getInstance()
        .walk(frames -> frames.limit(4).anyMatch(each -> each.getMethodName().equals(method)));
  }

  /** Another thread that takes it in the middle of its recycling would wait for it for ever. */
  @Test
  void cellPlanThatIsReady_isBusy() {
    Mesh mesh = Meshes.connect(device, "test", 2).get(0);
    Driver driver = new Driver(mesh, mesh.newQueue());
    Dialect dialect = Dialect.own();
    CellBoard board =
        new CellBoard(
            mesh.capability(Cells.class).orElseThrow(), mesh, driver, mesh.newQueue(), null);
    Call call = allreduce(new Counting(8), 8, null);
    PlanFamily family =
        new PlanFamily(
            call, 0, Layout.oneNode(2), Kernels::of, CostModel.LOOPBACK_TCP, dialect, true);
    CellPlan plan = new CellPlan(family, null, driver, board, true);
    plan.bind(call);
    assertTrue(plan.isBusy());
    plan.isReady(true);
    plan.end(); // the first half of its recycling
    assertTrue(plan.isBusy());
    plan.recycle();
    assertFalse(plan.isBusy());
    mesh.close();
  }

  @Test
  void overwrittenBlocksAreNotLoadedAndReadOnlyBlocksAreNotStored() {
    connect(2, Kernels::of);
    int size = 1_000_000;
    List<Counting> heaps = List.of(new Counting(size), new Counting(size));
    heaps.get(0).bytes[size - 1] = 9;
    allRanks(
        rank -> {
          Call call = new Call().of(Collective.BROADCAST, DataType.INT8, null, size, 0);
          call.on(null, new Region().staged(heaps.get(rank), size));
          return call.by("tree", LIMIT);
        });
    assertEquals(size, heaps.get(0).loaded, "bytes loaded at the root");
    assertEquals(0, heaps.get(0).stored, "bytes stored at the root");
    assertEquals(size, heaps.get(1).stored, "bytes stored elsewhere");
    assertTrue(heaps.get(1).loaded < size / 2, heaps.get(1).loaded + " bytes loaded elsewhere");
    assertEquals(9, heaps.get(1).bytes[size - 1]);
  }

  @Test
  void manyShapesComeAndGo() {
    connect(2, Kernels::of);
    for (int count = 0; count < 3 * Executor.FAMILIES; count++) {
      int size = count;
      List<Counting> heaps = List.of(new Counting(size), new Counting(size));
      for (Throwable failure : allRanks(rank -> allreduce(heaps.get(rank), size, null))) {
        assertEquals(null, failure);
      }
    }
  }
}
