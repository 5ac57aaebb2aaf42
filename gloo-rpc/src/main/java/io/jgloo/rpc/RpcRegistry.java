package io.jgloo.rpc;

import java.util.HashMap;
import java.util.Map;

/**
 * The functions an agent offers; closed when the agent starts.
 *
 * <p><i>Threads</i>: one, before the start.
 */
public final class RpcRegistry {

  /** Where a body runs. */
  public enum Execution {
    /** In a thread of its own: it may block, and call other agents. */
    WORKER,
    /**
     * In the thread that received the call: it saves a hand-over between threads, 10 to 30 us, and
     * must be short and must not block.
     */
    DIRECT
  }

  /** A function, what it does, and where. */
  public record Entry<A, R>(RpcFunction<A, R> function, RpcBody<A, R> body, Execution execution) {}

  private final Map<Long, Entry<?, ?>> entries = new HashMap<>();

  /** Makes a registry without functions. */
  public RpcRegistry() {}

  /** Offers a function, to be run in a worker thread; see {@link Execution}. */
  public <A, R> RpcRegistry register(RpcFunction<A, R> function, RpcBody<A, R> body) {
    return register(function, body, Execution.WORKER);
  }

  /**
   * Offers a function.
   *
   * @return this
   * @throws IllegalArgumentException if there is one of that name
   */
  public <A, R> RpcRegistry register(
      RpcFunction<A, R> function, RpcBody<A, R> body, Execution execution) {
    Entry<?, ?> before = entries.putIfAbsent(function.id(), new Entry<>(function, body, execution));
    if (before != null) {
      throw new IllegalArgumentException(
          "function " + function + " has the name, or the hash of it, of " + before.function());
    }
    return this;
  }

  Map<Long, Entry<?, ?>> entries() {
    return Map.copyOf(entries);
  }
}
