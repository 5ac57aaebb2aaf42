package io.jgloo.rendezvous;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreTimeoutException;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.sim.SimWorld;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * One rank's handle of a store in a simulated world: requests and replies take virtual time, and
 * while the server does not answer they wait until their deadline. A request whose reply comes too
 * late has had its effect.
 *
 * <p>Threads: those of the world, of which one runs at a time.
 */
final class SimStore implements Store {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  /** What all handles share. */
  static final class Server {
    private final SimWorld world;
    private final SplittableRandom random;
    private final long longestNanos;
    private final HashStore table = new HashStore(TIMEOUT);
    private final Set<String> written = new TreeSet<>();
    private boolean silent;

    /**
     * @param longest time that a request or a reply takes
     */
    Server(SimWorld world, long seed, Duration longest) {
      this.world = world;
      random = new SplittableRandom(seed);
      longestNanos = longest.toNanos();
    }

    /** Answers no request until {@link #answer}. */
    void fallSilent() {
      silent = true;
    }

    void answer() {
      silent = false;
    }

    List<String> keys() {
      return written.stream().filter(key -> table.check(List.of(key))).toList();
    }

    private boolean answers() {
      return !silent;
    }

    private void travel() {
      world.sleep(Duration.ofNanos(random.nextLong(longestNanos + 1)));
    }
  }

  private final Server server;
  private Deadline deadline;

  SimStore(Server server) {
    this.server = server;
  }

  private <T> T request(Supplier<T> effect) {
    Deadline bound = deadline == null ? Deadline.after(TIMEOUT, server.world.clock()) : deadline;
    server.travel();
    server.world.await(server::answers, bound.remaining());
    checkInTime(bound);
    T result = effect.get();
    server.travel();
    checkInTime(bound);
    return result;
  }

  private void checkInTime(Deadline bound) {
    if (bound.passed()) {
      throw new StoreUnavailableException(this + " did not answer by the deadline", null);
    }
  }

  @Override
  public Duration timeout() {
    return TIMEOUT;
  }

  @Override
  public void set(String key, byte[] value) {
    request(
        () -> {
          server.written.add(key);
          server.table.set(key, value);
          return null;
        });
  }

  @Override
  public byte[] get(String key, Duration timeout) {
    wait(List.of(key), timeout);
    return request(() -> server.table.get(key, Duration.ZERO));
  }

  @Override
  public void wait(Collection<String> keys, Duration timeout) {
    boolean there = request(() -> server.world.await(() -> server.table.check(keys), timeout));
    if (!there) {
      List<String> missing =
          keys.stream().filter(key -> !server.table.check(List.of(key))).toList();
      throw new StoreTimeoutException(timeout, missing);
    }
  }

  @Override
  public long add(String key, long delta) {
    server.written.add(key);
    return request(() -> server.table.add(key, delta));
  }

  @Override
  public byte[] compareSet(String key, byte[] expected, byte[] desired) {
    server.written.add(key);
    return request(() -> server.table.compareSet(key, expected, desired));
  }

  @Override
  public boolean deleteKey(String key) {
    return request(() -> server.table.deleteKey(key));
  }

  @Override
  public boolean check(Collection<String> keys) {
    return request(() -> server.table.check(keys));
  }

  @Override
  public void close() {
    // What is stored stays.
  }

  @Override
  public String toString() {
    return "SimStore";
  }

  /** Executes store operations on the calling thread, in virtual time. */
  static final class Executor extends StoreExecutor {
    private final SimWorld world;
    private final SimStore store;
    private boolean closed;

    Executor(SimStore store, int rank) {
      super(store, rank);
      this.store = store;
      world = store.server.world;
    }

    @Override
    <T> T call(String what, Deadline deadline, Callable<T> operation) {
      if (closed) {
        throw new ClosedException("the rendezvous was closed");
      }
      store.deadline = deadline;
      try {
        return operation.call();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new AssertionError(what, e);
      }
    }

    @Override
    Future<?> repeat(Duration period, Runnable body) {
      CompletableFuture<Void> ended = new CompletableFuture<>();
      world.fork(
          "lease",
          () -> {
            while (!world.await(() -> ended.isDone() || closed, period)) {
              body.run();
            }
          });
      return ended;
    }

    @Override
    void pause(Duration time) {
      if (world.await(() -> closed, time)) {
        throw new ClosedException("the rendezvous was closed");
      }
    }

    @Override
    public void close() {
      closed = true;
      super.close();
    }
  }
}
