package io.jgloo;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Options of single calls: the timeout, the algorithm, and among ranks of C++ Gloo the tag.
 *
 * <p>Immutable. See {@link ProcessGroup#with}.
 */
public final class CallOptions {

  /** The group's own timeout, and the algorithm predicted to be fastest. */
  public static final CallOptions DEFAULTS = new CallOptions(null, null, -1);

  private final @Nullable Duration timeout;
  private final @Nullable String algorithm;
  private final long tag;

  private CallOptions(@Nullable Duration timeout, @Nullable String algorithm, long tag) {
    this.timeout = timeout;
    this.algorithm = algorithm;
    this.tag = tag;
  }

  /**
   * These options with a timeout for the whole call.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public CallOptions timeout(Duration timeout) {
    return new CallOptions(Arguments.timeout(timeout), algorithm, tag);
  }

  /** These options with an algorithm by its name; all ranks must choose the same. */
  public CallOptions algorithm(String name) {
    return new CallOptions(timeout, Arguments.present("algorithm", name), tag);
  }

  /** These options with the algorithm predicted to be fastest. */
  CallOptions anyAlgorithm() {
    return new CallOptions(timeout, null, tag);
  }

  /**
   * These options with a tag for collectives of a group on one of the wires of C++ Gloo, which must
   * be that of the call in C++; 0 unless set. Calls of one collective at the same time need
   * different ones. Other groups refuse it, those of PyTorch too.
   *
   * @param tag 0 to 2^32 - 1
   * @throws IllegalArgumentException if it is another
   */
  public CallOptions tag(long tag) {
    if (tag < 0 || tag > 0xffff_ffffL) {
      throw new IllegalArgumentException("tag must be 0 to 2^32 - 1, but is " + tag);
    }
    return new CallOptions(timeout, algorithm, tag);
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
}
