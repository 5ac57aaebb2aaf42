package io.jgloo;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Options of single calls: the timeout and the algorithm.
 *
 * <p>Immutable. See {@link ProcessGroup#with}; tags on the wires of C++ Gloo: {@link CppGlooCalls}.
 */
public final class CallOptions {

  /** The group's own timeout, and the algorithm predicted to be fastest. */
  public static final CallOptions DEFAULTS = new CallOptions(null, null, -1, -1);

  private final @Nullable Duration timeout;
  private final @Nullable String algorithm;
  private final long tag;
  private final long slot;

  private CallOptions(@Nullable Duration timeout, @Nullable String algorithm, long tag, long slot) {
    this.timeout = timeout;
    this.algorithm = algorithm;
    this.tag = tag;
    this.slot = slot;
  }

  /**
   * These options with a timeout for the whole call.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public CallOptions timeout(Duration timeout) {
    return new CallOptions(Arguments.timeout(timeout), algorithm, tag, slot);
  }

  /** These options with an algorithm by its name; all ranks must choose the same. */
  public CallOptions algorithm(String name) {
    return new CallOptions(timeout, Arguments.present("algorithm", name), tag, slot);
  }

  /** These options with the algorithm predicted to be fastest. */
  CallOptions anyAlgorithm() {
    return new CallOptions(timeout, null, tag, slot);
  }

  CallOptions tag(long tag) {
    return new CallOptions(timeout, algorithm, tag, slot);
  }

  CallOptions slot(long slot) {
    return new CallOptions(timeout, algorithm, tag, slot);
  }

  /** How long a call may take, if it was said. */
  public Optional<Duration> timeout() {
    return Optional.ofNullable(timeout);
  }

  /** By which algorithm it is done, if it was said. */
  public Optional<String> algorithm() {
    return Optional.ofNullable(algorithm);
  }

  /** The tag of its messages on the wires of C++ Gloo, -1 if it has none. */
  long tag() {
    return tag;
  }

  /** The first of its slots on the wires of C++ Gloo, -1 if it takes new ones. */
  long slot() {
    return slot;
  }
}
