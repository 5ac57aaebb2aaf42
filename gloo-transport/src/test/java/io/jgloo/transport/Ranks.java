package io.jgloo.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.transport.Device.Liveness;
import io.jgloo.transport.leaks.Leaks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Runs a program once per rank, each with a device of its own, and finds what they leave behind.
 *
 * <p>A subclass says how devices are opened and how threads run; a simulator runs them one at a
 * time. <i>Fails</i>: with the first failure of any rank, the others' suppressed; with thread dumps
 * when ranks hang.
 */
public abstract class Ranks {

  /** Whether repetitions are as many as in the profile `full`, or fewer. */
  static final boolean FULL = Boolean.getBoolean("jgloo.test.full");

  /** How many times slower than others this machine is, if it is emulated. */
  static final int SLOWDOWN = Integer.getInteger("io.jgloo.test.slowdown", 1);

  /** How long an operation that should succeed may take on a loaded machine. */
  public static final Duration PATIENCE = Duration.ofSeconds(20L * SLOWDOWN);

  /** What one rank does. */
  @FunctionalInterface
  public interface Program {
    void run(Rank rank) throws Exception;
  }

  private static final Set<Class<?>> WARM = ConcurrentHashMap.newKeySet();
  private static boolean socketsAreUsed;

  private final int size;
  private final List<Rank> all = new ArrayList<>();
  private final Map<String, Address> published = new ConcurrentHashMap<>();
  private final AtomicInteger met = new AtomicInteger();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

  protected Ranks(int size) {
    this.size = size;
  }

  /** Opens the device of a rank. */
  protected abstract Device open(int rank);

  /**
   * Runs the tasks at the same time and returns when all have ended.
   *
   * @throws AssertionError with thread dumps if they hang
   */
  protected abstract void together(List<Runnable> tasks);

  /** Starts one more thread of a rank. */
  protected abstract Thread start(String name, Runnable body);

  /**
   * Blocks the calling thread, without driving any mesh, until the condition holds.
   *
   * @return whether it does; false at the timeout
   */
  protected abstract boolean until(BooleanSupplier condition, Duration timeout);

  /** Called at each rank when its mesh has been connected, before the ranks meet. */
  protected void connected(Rank rank) {}

  /** Called when all ranks have ended, before their devices are closed. */
  protected void ended() {}

  final int size() {
    return size;
  }

  /** Opens and connects all ranks, runs the program on each, closes them, looks for leaks. */
  public final void run(Program program) {
    runUnconnected(
        rank -> {
          rank.connect();
          connected(rank);
          // Else a rank's first act, such as aborting, may end another's connecting.
          rank.meet();
          program.run(rank);
        });
  }

  /** As {@link #run}, but leaves connecting to the program. */
  public final void runUnconnected(Program program) {
    warmUp();
    Leaks leaks = Leaks.before();
    try {
      for (int rank = 0; rank < size; rank++) {
        all.add(new Rank(this, rank, open(rank)));
      }
      List<Runnable> tasks = new ArrayList<>();
      for (Rank rank : all) {
        tasks.add(() -> runRank(rank, program));
      }
      together(tasks);
      ended();
    } catch (Throwable e) {
      failures.add(e);
    } finally {
      all.forEach(rank -> attempt(rank::close));
      all.forEach(rank -> attempt(rank::checkAndFree));
    }
    if (failures.isEmpty()) {
      leaks.check();
      return;
    }
    AssertionError failure = new AssertionError("a rank failed: " + failures.peek());
    failure.initCause(failures.poll());
    failures.forEach(failure::addSuppressed);
    throw failure;
  }

  /** Opens sockets: the runtime opens a descriptor of its own with its first, and keeps it. */
  public static synchronized void useSocketsOnce() {
    if (socketsAreUsed) {
      return;
    }
    socketsAreUsed = true;
    DeviceOptions loopback = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("memory", "off");
    try (Device device = Devices.open("tcp", loopback);
        Device other = Devices.open("tcp", loopback)) {
      Address address = device.newMesh(new Membership("first", 0, 0, 2)).address();
      assertEquals(Liveness.ALIVE, other.liveness(address, PATIENCE));
    }
  }

  /** What is opened once in a JVM and stays open is no leak, such as the fd behind a library. */
  private void warmUp() {
    useSocketsOnce();
    if (WARM.add(getClass())) {
      try (Device device = open(0)) {
        Mesh mesh = device.newMesh(new Membership("warm-up", 0, 0, 1));
        mesh.connect(List.of(mesh.address()), PATIENCE);
      }
    }
  }

  private void runRank(Rank rank, Program program) {
    try {
      program.run(rank);
    } catch (Throwable e) {
      failures.add(new AssertionError("at rank " + rank.rank() + ": " + e, e));
      attempt(rank::close);
    }
  }

  private void attempt(Runnable action) {
    try {
      action.run();
    } catch (Throwable e) {
      failures.add(e);
    }
  }

  /** Waits until all ranks have come here as often as this one; does not use the meshes. */
  final void meet(int times) {
    met.incrementAndGet();
    awaitTrue("all ranks to meet", () -> met.get() >= times * size);
  }

  /** Makes an address known to all ranks under a name of its mesh. */
  final void publish(String mesh, int rank, Address address) {
    published.put(mesh + "/" + rank, address);
  }

  /** The addresses of all ranks under a name, as soon as all are there. */
  final List<Address> addresses(String mesh) {
    List<Address> addresses = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      addresses.add(address(mesh, rank));
    }
    return addresses;
  }

  final Address address(String mesh, int rank) {
    String key = mesh + "/" + rank;
    awaitTrue("the address " + key, () -> published.containsKey(key));
    return published.get(key);
  }

  private void awaitTrue(String what, BooleanSupplier condition) {
    boolean came = until(() -> condition.getAsBoolean() || !failures.isEmpty(), PATIENCE);
    if (!came || !condition.getAsBoolean()) {
      throw new AssertionError("waited in vain for " + what);
    }
  }

  /** Another thread of a rank, whose failure is the rank's when it is joined. */
  public final class Fork {
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile Throwable failure;
    private final Thread thread;

    Fork(String name, Program program, Rank rank) {
      thread =
          start(
              name,
              () -> {
                try {
                  program.run(rank);
                } catch (Throwable e) {
                  failure = e;
                } finally {
                  ended.countDown();
                }
              });
    }

    public boolean hasEnded() {
      return ended.getCount() == 0;
    }

    public void interrupt() {
      thread.interrupt();
    }

    public void join() {
      if (!until(this::hasEnded, PATIENCE)) {
        AssertionError hang = new AssertionError("thread " + thread.getName() + " hangs");
        hang.setStackTrace(thread.getStackTrace());
        throw hang;
      }
      if (failure != null) {
        throw new AssertionError("in thread " + thread.getName() + ": " + failure, failure);
      }
    }
  }
}
