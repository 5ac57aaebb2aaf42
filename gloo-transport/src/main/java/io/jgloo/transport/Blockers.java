package io.jgloo.transport;

import java.util.List;

/**
 * The ranks that hold up a call: other ranks wait for them.
 *
 * @param silent ranks that do not answer: their process is stopped, or cannot be reached
 * @param late ranks that answer and wait for no rank: they have not made the call yet, or compute
 */
public record Blockers(List<Integer> silent, List<Integer> late) {

  /** No such rank has been found. */
  public static final Blockers NONE = new Blockers(List.of(), List.of());

  public Blockers {
    silent = List.copyOf(silent);
    late = List.copyOf(late);
  }
}
