package io.jgloo;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What may be said about single calls: how long they may take, by which algorithm they are done,
 * and on Gloo's wires where their messages go.
 *
 * <p>Immutable. See {@link ProcessGroup#with}.
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

  /**
   * These options with a tag for collectives, on Gloo's wires: as the one of the C++ call. Calls of
   * one collective at the same time need different ones; without it is 0.
   *
   * @throws IllegalArgumentException if it is not 0 to 2^32 - 1
   */
  public CallOptions tag(long tag) {
    if (tag < 0 || tag > 0xffff_ffffL) {
      throw new IllegalArgumentException("tag must be 0 to 2^32 - 1, but is " + tag);
    }
    return new CallOptions(timeout, algorithm, tag, slot);
  }

  /**
   * These options with the slots of an algorithm that is a class in Gloo: the first of those that
   * the constructor in C++ took. Without, each call takes new ones. See {@link
   * ProcessGroup#nextSlot}.
   *
   * @throws IllegalArgumentException if it is not 0 to 2^31 - 1
   */
  public CallOptions slot(long slot) {
    if (slot < 0 || slot > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("slot must be 0 to 2^31 - 1, but is " + slot);
    }
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

  /** The tag of its messages, if it was said. */
  public OptionalLong tag() {
    return tag < 0 ? OptionalLong.empty() : OptionalLong.of(tag);
  }

  /** The first of its slots, if it was said. */
  public OptionalLong slot() {
    return slot < 0 ? OptionalLong.empty() : OptionalLong.of(slot);
  }
}
