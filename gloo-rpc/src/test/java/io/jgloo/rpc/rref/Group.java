package io.jgloo.rpc.rref;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rpc.RpcAgent;
import io.jgloo.rpc.RpcOptions;
import io.jgloo.rpc.RpcRegistry;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.message.ControlChannel;
import io.jgloo.transport.DeviceOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/** Agents with remote references in this JVM, named {@code a0}, {@code a1} and so on. */
final class Group implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(30);
  static final RRefOptions OPTIONS =
      RRefOptions.DEFAULTS.withTimeout(PATIENCE).withRetries(Duration.ofMillis(500), 6);

  private final HashStore store = new HashStore();
  private final List<RRefs> refs = new ArrayList<>();
  private final List<RpcAgent> agents = new ArrayList<>();

  Group(int size, IntFunction<RpcRegistry> functions) throws Exception {
    this(size, functions, OPTIONS, channel -> channel);
  }

  Group(
      int size,
      IntFunction<RpcRegistry> functions,
      RRefOptions options,
      UnaryOperator<ControlChannel> channel)
      throws Exception {
    this(rank -> options().withFunctions(functions.apply(rank)), size, options, channel);
  }

  /** Agents with these options, whose control messages go through this channel. */
  Group(
      IntFunction<RpcOptions> agentOptions,
      int size,
      RRefOptions options,
      UnaryOperator<ControlChannel> channel)
      throws Exception {
    List<CompletableFuture<RpcAgent>> starts = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      int own = rank;
      RRefs itsRefs = new RRefs(options, channel);
      refs.add(itsRefs);
      RpcOptions itsOptions = agentOptions.apply(rank).withExtension(itsRefs);
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
  static RpcOptions options() {
    RpcOptions defaults = RpcOptions.DEFAULTS;
    return defaults.withMessenger(
        defaults.messenger().toBuilder()
            .device("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1"))
            .build());
  }

  RpcAgent agent(int rank) {
    return agents.get(rank);
  }

  RRefs refs(int rank) {
    return refs.get(rank);
  }

  AgentId id(int rank) {
    return agents.get(rank).self();
  }

  long count(int rank, String name) {
    return refs.get(rank).counts().get(name);
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
    return refs.get(rank).tables().state().isQuiet();
  }

  /** Waits until no agent has an entry. */
  void awaitQuiet() {
    for (int rank = 0; rank < agents.size(); rank++) {
      int own = rank;
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (!isQuiet(own) && System.nanoTime() - deadline < 0) {
        LockSupport.parkNanos(1_000_000);
      }
      assertTrue(isQuiet(own), () -> "entries are left: " + refs.get(own).dump());
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
