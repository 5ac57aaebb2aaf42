package io.jgloo.rpc;

import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.rpc.agent.PeerListener;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * The settings of an agent: connection, functions, limits.
 *
 * @param messenger how it connects, and what it may hold
 * @param functions what it offers
 * @param timeout how long a call, a creation or a fetch may take if it names no timeout; zero for
 *     no limit
 * @param workers threads that run bodies at most; threads that wait do not count
 * @param listener hears of agents that join and that are lost
 * @param rethrown exceptions that are thrown by their own class here when a body of another agent
 *     threw them, with the {@link RemoteCallException} as their cause
 */
public record RpcOptions(
    MessengerOptions messenger,
    RpcRegistry functions,
    Duration timeout,
    int workers,
    PeerListener listener,
    List<Class<? extends RuntimeException>> rethrown) {

  /**
   * @throws IllegalArgumentException if a number or a duration is out of range
   */
  public RpcOptions {
    Objects.requireNonNull(messenger, "messenger");
    Objects.requireNonNull(functions, "functions");
    Objects.requireNonNull(listener, "listener");
    rethrown = List.copyOf(rethrown);
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("timeout must not be negative, but is " + timeout);
    }
    if (workers < 1) {
      throw new IllegalArgumentException("workers must be at least 1, but are " + workers);
    }
  }

  /** Returns a builder: 60 s for each call, 64 workers, no functions. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder with the values of these options. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.messenger = messenger;
    builder.functions = functions;
    builder.timeout = timeout;
    builder.workers = workers;
    builder.listener = listener;
    builder.rethrown = rethrown;
    return builder;
  }

  /** Returns options with these functions, else as {@link #builder} has them. */
  public static RpcOptions of(RpcRegistry functions) {
    return builder().functions(functions).build();
  }

  /** Builds options; each method sets the component of its name. */
  public static final class Builder {
    private MessengerOptions messenger = MessengerOptions.DEFAULTS;
    private RpcRegistry functions = new RpcRegistry();
    private Duration timeout = Duration.ofSeconds(60);
    private int workers = 64;
    private PeerListener listener = new PeerListener() {};
    private List<Class<? extends RuntimeException>> rethrown = List.of();

    private Builder() {}

    public Builder messenger(MessengerOptions value) {
      messenger = value;
      return this;
    }

    public Builder functions(RpcRegistry value) {
      functions = value;
      return this;
    }

    public Builder timeout(Duration value) {
      timeout = value;
      return this;
    }

    public Builder workers(int value) {
      workers = value;
      return this;
    }

    public Builder listener(PeerListener value) {
      listener = value;
      return this;
    }

    /**
     * @param types each with a public constructor that takes the message
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public final Builder rethrown(Class<? extends RuntimeException>... types) {
      rethrown = List.of(types);
      return this;
    }

    /**
     * @throws IllegalArgumentException if a number or a duration is out of range
     */
    public RpcOptions build() {
      return new RpcOptions(messenger, functions, timeout, workers, listener, rethrown);
    }
  }
}
