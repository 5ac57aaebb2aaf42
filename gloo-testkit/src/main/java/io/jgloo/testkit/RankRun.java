package io.jgloo.testkit;

import io.jgloo.GroupBuilder;
import io.jgloo.OpenRank;
import io.jgloo.ProcessGroup;
import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.Device;
import io.jgloo.transport.leaks.Leaks;
import io.jgloo.transport.sim.LinkModel;
import io.jgloo.transport.sim.RankCrash;
import io.jgloo.transport.sim.RankFailure;
import io.jgloo.transport.sim.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of a body at all ranks: on plain threads in real time, or on those of a simulated world.
 *
 * <p><em>Threads</em>: the ranks', the caller's and those that cause faults; one monitor guards
 * what they share. No call of a group or a world is made under it.
 */
final class RankRun implements Faults.Target {

  private static final Duration CONNECT = Duration.ofSeconds(60);

  /** What a rank and its threads may take to end after its calls have. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  /** Of a simulated run, in virtual time. */
  private static final Duration SIMULATED = Duration.ofMinutes(30);

  private static final Duration SIMULATED_CALL = Duration.ofSeconds(10);

  /** Memory: bytes arrive at once, as the ranks' threads are slower than any network. */
  private static final LinkModel MEMORY = new LinkModel(0, 0, 1e12);

  /**
   * Descriptors and off-heap memory before a run that no other run overlaps: they belong to the
   * process, and of those that overlap it cannot say whose they are.
   */
  private static final class ProcessLeaks {
    private static final ProcessLeaks PROCESS = new ProcessLeaks();

    private int running;
    private @Nullable Leaks before; // null while runs overlap, or have

    synchronized void begin(ThreadGroup threads) {
      before = running++ == 0 ? Leaks.before(threads) : null;
    }

    /** What the run that ends can be compared with, or null. */
    synchronized @Nullable Leaks end() {
      Leaks leaks = before;
      before = null;
      running--;
      return leaks;
    }
  }

  private record AtCall(Faults.When when, Runnable fault) {}

  private final int size;
  private final long seed;
  private final boolean simulated;
  private final Faults faults;
  private final SplittableRandom random;
  private final SimWorld world;
  private final HashStore store = new HashStore();
  private final RankDevice[] devices;
  private final @Nullable ProcessGroup[] groups;
  private final @Nullable String[] addresses;
  private final List<AtCall> atCalls = new ArrayList<>();
  private final RankFailures failures;
  private final BitSet dead = new BitSet();
  private final BitSet stopped = new BitSet();
  private final BitSet ended = new BitSet();
  private int connected;
  private boolean begun;
  private boolean over;
  private boolean storeLost;
  private Duration callTimeout = SIMULATED_CALL;

  RankRun(int size, long seed, boolean simulated, Faults faults) {
    this.size = size;
    this.seed = seed;
    this.simulated = simulated;
    this.faults = faults;
    random = new SplittableRandom(seed);
    world = new SimWorld(size, seed);
    devices = new RankDevice[size];
    groups = new ProcessGroup[size];
    addresses = new String[size];
    failures = new RankFailures();
  }

  void run(LocalRanks.Body body, Duration deadline, boolean concurrent) {
    if (simulated) {
      simulate(body);
    } else {
      runThreads(body, deadline, concurrent);
    }
  }

  // In simulated time.

  private void simulate(LocalRanks.Body body) {
    String end = "";
    try (world) {
      world.limit(SIMULATED);
      world.run((rank, device) -> live(rank, device, body));
    } catch (RankFailure e) {
      end = String.valueOf(e.getCause() == null ? e : e.getCause().getMessage());
    }
    failures.check(end, openGroups(), note());
  }

  // On threads.

  private void runThreads(LocalRanks.Body body, Duration deadline, boolean concurrent) {
    callTimeout = deadline.multipliedBy(2); // so that the deadline is first
    world.network(MEMORY);
    ThreadGroup own = new ThreadGroup("ranks");
    ProcessLeaks.PROCESS.begin(own);
    List<Thread> threads = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      int number = rank;
      Thread thread = new Thread(own, () -> runRank(number, body), "rank-" + rank);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    String hang = "";
    await(() -> begun || haveLivingEnded(), CONNECT); // a busy machine is no hang
    if (!await(this::haveLivingEnded, deadline)) {
      hang = PendingCalls.describe(deadline, groups(), threads, ended());
    }
    release(hang.isEmpty() ? "the run is over" : "the ranks hang");
    threads.forEach(Thread::interrupt); // those that have not ended
    await(() -> ended().cardinality() == size, GRACE);
    world.close();
    store.close();
    Leaks before = ProcessLeaks.PROCESS.end();
    List<String> left = openGroups();
    if (hang.isEmpty() && !failures.any()) {
      addLeaks(left, own, concurrent ? null : before);
    }
    failures.check(hang, left, note());
  }

  private void runRank(int rank, LocalRanks.Body body) {
    try (Device device = world.device(rank)) {
      live(rank, device, body);
    } catch (Exception | Error e) {
      failures.add(rank, e);
    } finally {
      synchronized (this) {
        ended.set(rank);
        notifyAll();
      }
    }
  }

  private static void addLeaks(List<String> left, ThreadGroup own, @Nullable Leaks before) {
    long start = System.nanoTime();
    while (!Leaks.threadsOf(own).isEmpty() && System.nanoTime() - start < GRACE.toNanos()) {
      LockSupport.parkNanos(100_000);
    }
    Leaks.threadsOf(own).forEach(thread -> left.add("thread " + thread.getName()));
    if (before != null && left.isEmpty()) {
      try {
        before.check();
      } catch (AssertionError e) {
        left.add(String.valueOf(e.getMessage()).replaceFirst("^leaked: ", ""));
      }
    }
  }

  private synchronized boolean haveLivingEnded() {
    for (int rank = 0; rank < size; rank++) {
      if (!ended.get(rank) && !dead.get(rank)) {
        return false;
      }
    }
    return true;
  }

  private synchronized BitSet ended() {
    return (BitSet) ended.clone();
  }

  private synchronized @Nullable ProcessGroup[] groups() {
    return groups.clone();
  }

  private boolean await(BooleanSupplier condition, Duration time) {
    long end = System.nanoTime() + time.toNanos();
    synchronized (this) {
      while (!condition.getAsBoolean()) {
        long left = end - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        try {
          wait(1 + left / 1_000_000);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return false;
        }
      }
      return true;
    }
  }

  /** Ends the calls of ranks that have not ended. */
  private void release(String why) {
    List<RankDevice> open = new ArrayList<>();
    synchronized (this) {
      over = true;
      notifyAll();
      for (int rank = 0; rank < size; rank++) {
        if (!ended.get(rank) && devices[rank] != null) {
          open.add(devices[rank]);
        }
      }
    }
    open.forEach(device -> device.abort(new ClosedException(why)));
  }

  // What each rank does.

  private void live(int rank, Device opened, LocalRanks.Body body) {
    RankDevice device = new RankDevice(opened, call -> posting(rank, call));
    synchronized (this) {
      devices[rank] = device;
    }
    try (ProcessGroup group = connect(rank, device)) {
      synchronized (this) {
        groups[rank] = group;
      }
      try {
        if (awaitBegin()) {
          body.run(group);
        }
      } catch (RankCrash e) {
        throw e;
      } catch (Exception | Error e) {
        fail(rank, e);
        group.abort("rank " + rank + " failed: " + e);
      }
    } catch (RankCrash e) {
      throw e;
    } catch (Exception | Error e) {
      fail(rank, e);
    }
  }

  private ProcessGroup connect(int rank, Device device) {
    GroupBuilder builder =
        ProcessGroup.builder().rank(rank).size(size).device(device).connectTimeout(CONNECT);
    if (!simulated) {
      builder.store(RankStore.of(store, () -> loss(rank)));
    }
    OpenRank open = builder.timeout(callTimeout).open();
    synchronized (this) {
      addresses[rank] = open.address();
      notifyAll();
    }
    awaitRanks(() -> addresses().size() == size || failures.any());
    return open.connect(addresses());
  }

  /** Waits, in the time of this run, for what all ranks do when they connect. */
  private void awaitRanks(BooleanSupplier condition) {
    if (simulated) {
      world.await(condition, CONNECT);
    } else {
      await(condition, CONNECT);
    }
  }

  private synchronized List<String> addresses() {
    List<String> known = new ArrayList<>();
    for (String address : addresses) {
      if (address != null) {
        known.add(address);
      }
    }
    return known;
  }

  private synchronized String loss(int rank) {
    return dead.get(rank)
        ? "rank " + rank + " was killed"
        : storeLost ? "the store of the test was lost" : "";
  }

  /** Waits until all ranks are connected and the planned faults are set; false if one is not. */
  private boolean awaitBegin() {
    boolean last;
    synchronized (this) {
      last = ++connected == size;
    }
    if (last) {
      faults.begin(this);
      synchronized (this) {
        begun = true;
        notifyAll();
      }
    }
    awaitRanks(() -> hasBegun() || failures.any());
    return hasBegun();
  }

  private synchronized boolean hasBegun() {
    return begun;
  }

  private void fail(int rank, Throwable failure) {
    synchronized (this) {
      if (!dead.get(rank)) {
        failures.add(rank, failure);
      }
      notifyAll();
    }
  }

  private List<String> openGroups() {
    List<String> open = new ArrayList<>();
    synchronized (this) {
      for (int rank = 0; rank < size; rank++) {
        if (devices[rank] != null && !dead.get(rank)) {
          open.addAll(devices[rank].open());
        }
      }
    }
    return open;
  }

  /** What is known besides a failure: calls that do not fit, and how to repeat it. */
  private String note() {
    String calls = failures.areOfCalls() ? PendingCalls.disagreement(groups()) : "";
    if (simulated) {
      return calls + " (seed " + seed + ": @Simulated(seed = " + seed + ") repeats it)";
    }
    return faults.isRandom() ? calls + repetition(seed) : calls;
  }

  /** How to have random faults at the same instants again. */
  static String repetition(long seed) {
    return (" (faults of seed " + seed)
        + (": -Djgloo.testkit.seed=" + seed + " repeats their instants)");
  }

  // What is made to fail.

  /** A rank is to post a message, of this collective if it is one of the first group. */
  private void posting(int rank, long call) {
    List<AtCall> due = List.of();
    synchronized (this) {
      while (stopped.get(rank) && !simulated && !over) {
        try {
          wait();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
      if (call > 0 && !atCalls.isEmpty()) {
        due =
            atCalls.stream()
                .filter(each -> each.when.rank() == rank && call >= each.when.call())
                .toList();
        atCalls.removeAll(due);
      }
    }
    due.forEach(each -> each.fault.run());
  }

  @Override
  public void plan(Faults.When when, Runnable fault) {
    if (when.rank() >= 0) {
      synchronized (this) {
        atCalls.add(new AtCall(when, fault));
      }
      return;
    }
    long nanos;
    synchronized (this) {
      nanos = random.nextLong(when.within().toNanos()) + 1;
    }
    if (simulated) {
      world.at(Duration.ofNanos(nanos), fault);
    } else {
      Thread thread = new Thread(() -> occurAfter(nanos, fault), "testkit-fault");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void occurAfter(long nanos, Runnable fault) {
    if (!await(() -> over, Duration.ofNanos(nanos))) {
      fault.run();
    }
  }

  @Override
  public void kill(int rank) {
    RankDevice device;
    synchronized (this) {
      dead.set(rank);
      stopped.clear(rank);
      device = devices[rank];
      notifyAll();
    }
    world.faults().crash(rank);
    if (!simulated) {
      device.abort(new ClosedException("rank " + rank + " was killed"));
    }
  }

  @Override
  public void stop(int rank) {
    synchronized (this) {
      dead.set(rank);
      stopped.set(rank);
      notifyAll();
    }
    if (simulated) {
      world.faults().pause(rank, SIMULATED.dividedBy(2));
      return;
    }
    for (int peer = 0; peer < size; peer++) {
      if (peer != rank) {
        world.faults().cut(rank, peer);
      }
    }
  }

  @Override
  public void delay(int from, int to, Duration time) {
    world.link(from, to, (simulated ? LinkModel.DEFAULT : MEMORY).delay(time, time));
  }

  @Override
  public void cut(int first, int second) {
    world.faults().cut(first, second);
  }

  @Override
  public void corrupt(int from, int to) {
    world.faults().flip(from, to);
  }

  @Override
  public void loseStore() {
    if (simulated) {
      throw new UnsupportedOperationException("a simulated test has no store to lose");
    }
    synchronized (this) {
      storeLost = true;
    }
    store.close();
  }
}
