package io.jgloo.rpc;

import io.jgloo.rpc.agent.MessengerOptions;
import java.time.Duration;
import java.util.Objects;

/**
 * How an agent connects, and what it offers.
 *
 * @param messenger how it connects, and what it may hold
 * @param functions what it offers
 * @param timeout how long a call may take if it names no timeout
 * @param workers threads that run bodies at most, where the JVM has no virtual threads; threads
 *     that wait for calls of their own do not count
 * @param extension services and values beside calls
 */
public record RpcOptions(
    MessengerOptions messenger,
    RpcRegistry functions,
    Duration timeout,
    int workers,
    RpcExtension extension) {

  /** Calls take 60 s at most; 64 workers. */
  public static final RpcOptions DEFAULTS =
      new RpcOptions(
          MessengerOptions.DEFAULTS,
          new RpcRegistry(),
          Duration.ofSeconds(60),
          64,
          RpcExtension.NONE);

  /**
   * @throws IllegalArgumentException if timeout or workers are not positive
   */
  public RpcOptions {
    Objects.requireNonNull(messenger, "messenger");
    Objects.requireNonNull(functions, "functions");
    Objects.requireNonNull(extension, "extension");
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("timeout must be positive, but is " + timeout);
    }
    if (workers < 1) {
      throw new IllegalArgumentException("workers must be at least 1, but are " + workers);
    }
  }

  /** These options with these functions. */
  public RpcOptions withFunctions(RpcRegistry registry) {
    return new RpcOptions(messenger, registry, timeout, workers, extension);
  }

  /** These options with these of the messenger. */
  public RpcOptions withMessenger(MessengerOptions options) {
    return new RpcOptions(options, functions, timeout, workers, extension);
  }

  /** These options with another timeout of calls. */
  public RpcOptions withTimeout(Duration longest) {
    return new RpcOptions(messenger, functions, longest, workers, extension);
  }

  /** These options with another number of workers. */
  public RpcOptions withWorkers(int most) {
    return new RpcOptions(messenger, functions, timeout, most, extension);
  }

  /** These options with this extension. */
  public RpcOptions withExtension(RpcExtension more) {
    return new RpcOptions(messenger, functions, timeout, workers, more);
  }
}
