package io.jgloo.transport.tcp.stream;

import io.jgloo.transport.Device.FailureScope;
import io.jgloo.transport.Wire;
import java.util.Locale;

/** The time at which the pairs of a mesh are connected. */
public enum Connecting {
  /** All before the mesh starts, unless the mesh is large. */
  AUTO,
  /** All before the mesh starts. */
  EAGER,
  /** Each when it is first used. */
  LAZY;

  /**
   * Ranks of a mesh up to which AUTO connects all pairs. Trees, rings and doublings use 2 to log n
   * pairs of a rank; a full mesh of 64 ranks has 2,016, one of 256 has 32,640.
   */
  static final int MOST_EAGER_RANKS = 64;

  public static Connecting parse(String text) {
    return switch (text) {
      case "auto" -> AUTO;
      case "eager" -> EAGER;
      case "lazy" -> LAZY;
      default ->
          throw new IllegalArgumentException("must be auto, eager or lazy, but is '" + text + "'");
    };
  }

  /** Whether the pairs of a mesh are connected when they are first used. */
  public boolean isLazy(int ranks, FailureScope scope, Wire wire) {
    boolean large =
        ranks > MOST_EAGER_RANKS && scope == FailureScope.COLLECTIVE && wire == Wire.JGLOO;
    return this == LAZY || (this == AUTO && large);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
