package io.jgloo.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.rref.protocol.RRefTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/** Agents with remote references in this JVM, named {@code a0}, {@code a1} and so on. */
final class Group implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HashStore store = new HashStore();
  private final List<RpcAgent> agents = new ArrayList<>();

  Group(int size, IntFunction<RpcRegistry> functions) throws Exception {
    this(size, functions, options());
  }

  Group(int size, IntFunction<RpcRegistry> functions, RpcOptions.Builder options) throws Exception {
    this(rank -> options.functions(functions.apply(rank)).build(), size);
  }

  Group(IntFunction<RpcOptions> options, int size) throws Exception {
    List<CompletableFuture<RpcAgent>> starts = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      int own = rank;
      RpcOptions itsOptions = options.apply(rank);
      starts.add(
          CompletableFuture.supplyAsync(
              () -> RpcAgent.start("a" + own, own, size, store, itsOptions),
              task -> new Thread(task, "start-" + own).start()));
    }
    for (CompletableFuture<RpcAgent> start : starts) {
      agents.add(start.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }
  }

  /** Options for agents of one machine. */
  static RpcOptions.Builder options() {
    return Agents.options().timeout(PATIENCE);
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

  /** Shuts all down together; returns whether each heard of all others. */
  List<Boolean> shutdown(Duration timeout) throws Exception {
    List<CompletableFuture<Boolean>> ends = new ArrayList<>();
    for (RpcAgent agent : agents) {
      ends.add(
          CompletableFuture.supplyAsync(
              () -> agent.shutdown(timeout), task -> new Thread(task, "shutdown").start()));
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
