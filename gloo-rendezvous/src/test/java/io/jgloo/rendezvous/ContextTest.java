package io.jgloo.rendezvous;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rendezvous.store.PrefixStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.Address;
import io.jgloo.transport.Clock;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.Device;
import io.jgloo.transport.Device.Liveness;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.InterruptedOperationException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.ProtocolException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that are threads connect, or fail with the reason. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ContextTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  /**
   * Long enough for all ranks of a test to meet and to find out that records are stale, also on a
   * loaded machine; short enough to be waited for.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(4);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<AutoCloseable> toClose = new ArrayList<>();
  private final Set<String> written = ConcurrentHashMap.newKeySet();

  private final HashStore table = new HashStore(LONG);

  /** Whether the device can check the liveness of a peer. */
  private boolean tellsLiveness = true;

  static Device tcp() {
    return Devices.open("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1"));
  }

  /** A device whose network drops liveness probes. */
  private record Ignorant(Device device) implements Device {
    @Override
    public String name() {
      return device.name();
    }

    @Override
    public Clock clock() {
      return device.clock();
    }

    @Override
    public Mesh newMesh(Membership membership) {
      return device.newMesh(membership);
    }

    @Override
    public Liveness liveness(Address address, Duration timeout) {
      return Liveness.UNKNOWN;
    }

    @Override
    public void close() {
      device.close();
    }
  }

  @AfterEach
  void closeChildren() throws Exception {
    for (int i = toClose.size() - 1; i >= 0; i--) {
      toClose.get(i).close();
    }
    threads.shutdownNow();
    table.close();
    while (hasThreads()) {
      LockSupport.parkNanos(1_000_000); // a thread that is interrupted takes a moment to end
    }
  }

  private static boolean hasThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().startsWith("gloo-rendezvous-"));
  }

  private <T extends AutoCloseable> T later(T closed) {
    synchronized (toClose) {
      toClose.add(closed);
    }
    return closed;
  }

  private Store store() {
    return recording(new PrefixStore("job", table));
  }

  /** A handle that notes the keys that are written by it. */
  private Store recording(Store store) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (self, method, arguments) -> {
              if (Set.of("set", "add", "compareSet").contains(method.getName())) {
                written.add((String) arguments[0]);
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private List<String> keys(Store store) {
    return written.stream().filter(key -> store.check(List.of(key))).toList();
  }

  private Device device() {
    return later(tellsLiveness ? tcp() : new Ignorant(tcp()));
  }

  private Context context(int rank, int size, Duration timeout) {
    return later(new Context(new Membership("world", 0, rank, size), timeout));
  }

  private Future<Mesh> connect(Context context) {
    Store store = store();
    Device device = device();
    return threads.submit(() -> context.connectFullMesh(store, device));
  }

  private List<Future<Mesh>> connectAll(int size, Duration timeout) {
    return connectAll(size, timeout, IntStream.range(0, size).toArray());
  }

  /** These ranks connect at the same time: what they need is open before the first begins. */
  private List<Future<Mesh>> connectAll(int size, Duration timeout, int... present) {
    List<Callable<Mesh>> ranks = new ArrayList<>();
    for (int rank : present) {
      Context context = context(rank, size, timeout);
      Store store = store();
      Device device = device();
      ranks.add(() -> context.connectFullMesh(store, device));
    }
    return ranks.stream().map(threads::submit).toList();
  }

  private static <T extends Throwable> T failure(Class<T> type, Future<?> rank) {
    ExecutionException e = assertThrows(ExecutionException.class, rank::get);
    return assertInstanceOf(type, e.getCause(), () -> "not " + e.getCause());
  }

  /** A rank waits for one second until its record is withdrawn, which takes longer under load. */
  private void assertNothingIsStored() {
    Store store = store();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!keys(store).isEmpty() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(1_000_000);
    }
    assertEquals(List.of(), keys(store));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void allRanks_connect(int size) throws Exception {
    List<Context> contexts = new ArrayList<>();
    List<Future<Mesh>> meshes = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      Context context = context(rank, size, LONG);
      contexts.add(context);
      meshes.add(connect(context));
    }
    for (int rank = 0; rank < size; rank++) {
      Mesh mesh = meshes.get(rank).get();
      assertEquals(rank, mesh.membership().rank());
      assertEquals(size, mesh.membership().size());
      assertEquals(Collections.nCopies(size, mesh.address().host()), mesh.hosts());
    }
    contexts.forEach(Context::close);
    contexts.forEach(Context::close);
    assertNothingIsStored();
  }

  @Test
  void groupsAndEpochsInOneStore_areSeparate() throws Exception {
    List<Future<Mesh>> ranks = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      for (String group : List.of("world", "other")) {
        ranks.add(connect(later(new Context(new Membership(group, 0, rank, 2), LONG))));
      }
      ranks.add(connect(later(new Context(new Membership("world", 1, rank, 2), LONG))));
    }
    for (Future<Mesh> rank : ranks) {
      assertEquals(2, rank.get().membership().size());
    }
  }

  @Test
  void invalidArguments_areRefusedBeforeAnyInput() {
    assertThrows(IllegalArgumentException.class, () -> new Context(-1, 2));
    assertThrows(IllegalArgumentException.class, () -> new Context(2, 2));
    assertThrows(IllegalArgumentException.class, () -> new Context(0, 0));
    assertThrows(IllegalArgumentException.class, () -> new Context(0, -3));
    assertThrows(IllegalArgumentException.class, () -> context(0, 1, Duration.ZERO));
    Membership unnamed = new Membership("", 0, 0, 1);
    assertThrows(IllegalArgumentException.class, () -> new Context(unnamed, LONG));
    Context context = context(0, 1, LONG);
    assertThrows(IllegalArgumentException.class, () -> context.connectFullMesh(null, device()));
    assertThrows(IllegalArgumentException.class, () -> context.connectFullMesh(store(), null));
    context.connectFullMesh(store(), device());
    assertThrows(IllegalStateException.class, () -> context.connectFullMesh(store(), device()));
  }

  @Test
  void timeout_namesExactlyTheMissingRanks() {
    for (Future<Mesh> rank : connectAll(5, Duration.ofSeconds(2), 0, 2, 4)) { // no stale record
      RendezvousTimeoutException e = failure(RendezvousTimeoutException.class, rank);
      assertEquals(List.of(1, 3), e.missingRanks());
      assertTrue(e.getMessage().contains("[1, 3]"), e.getMessage());
    }
    assertNothingIsStored();
  }

  @Test
  void lateRank_isWaitedFor() throws Exception {
    Future<Mesh> zero = connect(context(0, 3, LONG));
    Future<Mesh> two = connect(context(2, 3, LONG));
    Store store = store();
    store.wait(List.of("world@0/rank/0", "world@0/rank/2"), store.timeout());
    Future<Mesh> one = connect(context(1, 3, LONG));
    assertEquals(3, zero.get().membership().size());
    assertEquals(3, one.get().membership().size());
    assertEquals(3, two.get().membership().size());
  }

  /** What ranks that crashed after they had met would have left in the store. */
  private void remainsOf(int size) throws Exception {
    List<Context> contexts = new ArrayList<>();
    List<Future<Mesh>> ranks = new ArrayList<>();
    List<Device> devices = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      Context context = context(rank, size, LONG);
      Device device = device();
      Store store = store();
      contexts.add(context);
      devices.add(device);
      ranks.add(threads.submit(() -> context.connectFullMesh(store, device)));
    }
    for (Future<Mesh> rank : ranks) {
      rank.get();
    }
    Store store = store();
    Map<String, byte[]> records = new HashMap<>();
    keys(store).forEach(key -> records.put(key, store.get(key)));
    contexts.forEach(Context::close);
    devices.forEach(Device::close);
    assertNothingIsStored();
    records.forEach(store::set);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void recordsOfACrashedRun_areReplaced(boolean tellsLiveness) throws Exception {
    this.tellsLiveness = tellsLiveness;
    remainsOf(4); // of another size
    for (Future<Mesh> rank : connectAll(3, LONG)) {
      assertEquals(3, rank.get().membership().size());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void staleRecordBesideAMissingRank_doesNotCountAsItsRank(boolean tellsLiveness) throws Exception {
    this.tellsLiveness = tellsLiveness;
    remainsOf(4);
    store().deleteKey("world@0/rank/3");
    for (Future<Mesh> rank : connectAll(4, PATIENCE, 0, 1)) {
      assertEquals(
          tellsLiveness ? List.of(2, 3) : List.of(3),
          failure(RendezvousTimeoutException.class, rank).missingRanks());
    }
  }

  @Test
  void invalidRecord_isAProtocolError() {
    store().set("world@0/rank/1", "something else".getBytes(UTF_8));
    failure(ProtocolException.class, connect(context(0, 2, LONG)));
    failure(ProtocolException.class, connect(context(1, 2, LONG)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void duplicateRank_isReportedToBoth(boolean tellsLiveness) {
    this.tellsLiveness = tellsLiveness;
    Future<Mesh> first = connect(context(0, 2, LONG));
    store().wait(List.of("world@0/rank/0"), store().timeout());
    Future<Mesh> second = connect(context(0, 2, LONG));
    assertEquals(0, failure(DuplicateRankException.class, second).rank());
    assertEquals(0, failure(DuplicateRankException.class, first).rank());
    assertNothingIsStored();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void lateDuplicate_doesNotHarmACompleteGroup(boolean tellsLiveness) throws Exception {
    this.tellsLiveness = tellsLiveness;
    List<Future<Mesh>> ranks = connectAll(2, LONG);
    Mesh zero = ranks.get(0).get();
    Mesh one = ranks.get(1).get();
    RendezvousException e =
        failure(RendezvousException.class, connect(context(1, 2, tellsLiveness ? LONG : PATIENCE)));
    assertTrue(!tellsLiveness || e instanceof DuplicateRankException, e.toString());
    assertTrue(zero.failure().isEmpty());
    assertTrue(one.failure().isEmpty());
    assertTrue(store().check(List.of("world@0/rank/0")));
  }

  /**
   * Nothing differs between processes of the two jobs, so the group may have ranks of both. If the
   * device cannot check liveness, another one can replace the records of one that is complete.
   */
  @Test
  void twoJobsAtTheSameTime_formAtMostOneGroup() throws Exception {
    List<Future<Mesh>> ranks = connectAll(3, PATIENCE, 0, 1, 2, 0, 1, 2);
    BitSet connected = new BitSet();
    for (Future<Mesh> each : ranks) {
      try {
        int rank = each.get().membership().rank();
        assertFalse(tellsLiveness && connected.get(rank), "rank " + rank + " twice");
        connected.set(rank);
      } catch (ExecutionException e) {
        assertInstanceOf(RendezvousException.class, e.getCause(), () -> "not " + e.getCause());
      }
    }
  }

  @Test
  void differentSizes_areReportedToAllRanks() {
    List<Future<Mesh>> ranks = new ArrayList<>();
    for (int rank = 0; rank < 4; rank++) {
      ranks.add(connect(context(rank, rank == 3 ? 5 : 4, LONG)));
    }
    for (int rank = 0; rank < 4; rank++) {
      WorldSizeMismatchException e = failure(WorldSizeMismatchException.class, ranks.get(rank));
      assertEquals(rank == 3 ? 5 : 4, e.size());
      assertEquals(rank == 3 ? 4 : 5, e.otherSize());
      assertTrue(e.getMessage().contains("4") && e.getMessage().contains("5"), e.getMessage());
    }
  }

  @Test
  void differentSizes_areReportedToALaterRank() throws Exception {
    Future<Mesh> zero = connect(context(0, 4, LONG));
    Future<Mesh> three = connect(context(3, 5, LONG));
    failure(WorldSizeMismatchException.class, zero);
    failure(WorldSizeMismatchException.class, three);
    assertEquals(
        5, failure(WorldSizeMismatchException.class, connect(context(1, 4, PATIENCE))).otherSize());
    // And what they have left behind does not hurt a run in which all have the same size.
    for (Future<Mesh> rank : connectAll(4, LONG)) {
      assertEquals(4, rank.get().membership().size());
    }
  }

  @Test
  void interrupt_endsConnecting() throws Exception {
    Store store = store();
    Device device = device();
    List<Object> outcome = new ArrayList<>();
    Context context = context(0, 2, LONG);
    Thread thread =
        new Thread(
            () -> {
              try {
                outcome.add(context.connectFullMesh(store, device));
              } catch (InterruptedOperationException e) {
                outcome.add(Thread.currentThread().isInterrupted());
              }
            });
    thread.start();
    store().wait(List.of("world@0/rank/0"), store().timeout());
    thread.interrupt();
    thread.join();
    assertEquals(List.of(true), outcome);
    assertNothingIsStored();
  }

  @Test
  void close_endsConnecting() {
    Context context = context(0, 2, LONG);
    Future<Mesh> rank = connect(context);
    store().wait(List.of("world@0/rank/0"), store().timeout());
    context.close();
    failure(ClosedException.class, rank);
    assertNothingIsStored();
    Store store = store();
    Device device = device();
    assertThrows(RuntimeException.class, () -> context.connectFullMesh(store, device));
    Context unused = context(0, 1, LONG);
    unused.close();
    assertThrows(ClosedException.class, () -> unused.connectFullMesh(store, device));
  }

  @Test
  void closedDevice_isReported() {
    Device device = device();
    device.close();
    Store store = store();
    Context context = context(0, 2, LONG);
    assertThrows(JGlooException.class, () -> context.connectFullMesh(store, device));
    assertFalse(store.check(List.of("world@0/rank/0")));
  }
}
