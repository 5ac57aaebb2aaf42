package io.jgloo.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.rpc.rref.protocol.RRefTables;
import io.jgloo.transport.DeviceOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/** Agents of one group in this JVM, named {@code a0}, {@code a1} and so on. */
final class Agents implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HashStore store = new HashStore();
  private final List<RpcAgent> agents = new ArrayList<>();

  Agents(IntFunction<RpcOptions> options, int size) throws Exception {
    List<CompletableFuture<RpcAgent>> starts = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      int own = rank;
      starts.add(later(() -> RpcAgent.start("a" + own, own, size, store, options.apply(own))));
    }
    for (CompletableFuture<RpcAgent> start : starts) {
      agents.add(start.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }
  }

  Agents(int size, RpcRegistry functions) throws Exception {
    this(rank -> options().functions(functions).build(), size);
  }

  Agents(int size, IntFunction<RpcRegistry> functions) throws Exception {
    this(rank -> options().functions(functions.apply(rank)).build(), size);
  }

  /** Options for agents of one machine. */
  static RpcOptions.Builder options() {
    return RpcOptions.builder()
        .timeout(PATIENCE)
        .messenger(
            MessengerOptions.builder()
                .device("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1"))
                .build());
  }

  /** What a thread does. */
  @FunctionalInterface
  interface Task<T> {
    T run() throws Exception;
  }

  /** Runs something in a thread of its own. */
  static <T> CompletableFuture<T> later(Task<T> task) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(task.run());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            },
            "test-task");
    thread.setDaemon(true);
    thread.start();
    return result;
  }

  RpcAgent agent(int rank) {
    return agents.get(rank);
  }

  RRefs refs(int rank) {
    return agents.get(rank).rrefs();
  }

  AgentId id(int rank) {
    return agents.get(rank).self();
  }

  long count(int rank, String name) {
    return refs(rank).counts().get(name);
  }

  /** Waits for something that other threads bring about. */
  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - deadline < 0, () -> "did not happen: " + what);
      LockSupport.parkNanos(1_000_000);
    }
  }

  boolean isQuiet(int rank) {
    return refs(rank).tables().read(RRefTables::isQuiet);
  }

  /** Waits until no agent has an entry. */
  void awaitQuiet() {
    for (int rank = 0; rank < agents.size(); rank++) {
      int own = rank;
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (!isQuiet(own) && System.nanoTime() - deadline < 0) {
        LockSupport.parkNanos(1_000_000);
      }
      assertTrue(isQuiet(own), () -> "entries are left: " + refs(own).dump());
      assertEquals(0, count(own, "creations"), "creations of " + own);
      assertEquals(0, count(own, "fetches"), "fetches of " + own);
    }
  }

  HashStore store() {
    return store;
  }

  /** Shuts all down together; returns whether each heard of all others. */
  List<Boolean> shutdown(Duration timeout) throws Exception {
    List<CompletableFuture<Boolean>> ends = new ArrayList<>();
    for (RpcAgent agent : agents) {
      ends.add(later(() -> agent.shutdown(timeout)));
    }
    List<Boolean> results = new ArrayList<>();
    for (CompletableFuture<Boolean> end : ends) {
      results.add(end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }
    return results;
  }

  @Override
  public void close() {
    agents.forEach(RpcAgent::close);
    store.close();
  }
}
