package io.jgloo.rpc;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.transport.DeviceOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Agents of one group in this JVM, named {@code a0}, {@code a1} and so on. */
final class Agents implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HashStore store = new HashStore();
  private final List<RpcAgent> agents = new ArrayList<>();

  Agents(int size, IntFunction<RpcOptions> options) throws Exception {
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
    this(size, rank -> options().functions(functions).build());
  }

  /** Options for agents of one machine. */
  static RpcOptions.Builder options() {
    return RpcOptions.builder()
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

  RpcAgent get(int rank) {
    return agents.get(rank);
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
