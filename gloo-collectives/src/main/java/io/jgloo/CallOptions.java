package io.jgloo;

import java.time.Duration;
import java.util.Optional;

/**
 * What may be said about single calls: how long they may take and by which algorithm they are done.
 *
 * <p>Immutable. See {@link ProcessGroup#with}.
 */
public final class CallOptions {

  /** The group's own timeout, and the algorithm predicted to be fastest. */
  public static final CallOptions DEFAULTS = new CallOptions(null, null);

  private final Duration timeout;
  private final String algorithm;

  private CallOptions(Duration timeout, String algorithm) {
    this.timeout = timeout;
    this.algorithm = algorithm;
  }

  /**
   * These options with a timeout for the whole call.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public CallOptions timeout(Duration timeout) {
    return new CallOptions(Arguments.timeout(timeout), algorithm);
  }

  /** These options with an algorithm by its name; all ranks must choose the same. */
  public CallOptions algorithm(String name) {
    return new CallOptions(timeout, Arguments.present("algorithm", name));
  }

  /** How long a call may take, if it was said. */
  public Optional<Duration> timeout() {
    return Optional.ofNullable(timeout);
  }

  /** By which algorithm it is done, if it was said. */
  public Optional<String> algorithm() {
    return Optional.ofNullable(algorithm);
  }
}
