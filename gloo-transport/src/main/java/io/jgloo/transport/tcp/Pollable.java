package io.jgloo.transport.tcp;

/**
 * A descriptor whose readiness a {@link Poller} reports, edge-triggered.
 *
 * <p>The flags stay set until a system call has found the descriptor empty or full; so the hot path
 * needs no call to change interest.
 */
abstract class Pollable {

  /** Who handles readiness; set by whoever registers. */
  Object owner;

  /** A read (or accept) may find something. */
  boolean readable;

  /** A write may find room. */
  boolean writable;

  /** On the poller's list of ready descriptors. */
  boolean listed;

  /** Closes the descriptor; the caller knows that no thread is in a system call on it. */
  abstract void close();
}
