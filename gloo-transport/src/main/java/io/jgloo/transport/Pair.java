package io.jgloo.transport;

import io.jgloo.transport.Device.FailureScope;
import java.util.Optional;

/**
 * The link between this rank and one peer.
 *
 * <p>Messages of one slot match receives of that slot in posting order, whatever their sizes;
 * different slots do not wait for each other. A receive longer or shorter than its message is a
 * {@link MismatchException} (see {@link Request#allowShorter}).
 *
 * <p><i>Threads</i>: any. <i>Fails</i>: posting throws only for mistakes of the caller; everything
 * that happens to the link fails the requests. A peer that has sent a goodbye fails only requests
 * that need it: messages whose sends it had completed can still be received, then a receive from it
 * or a send to it fails the mesh with a {@link PeerDepartedException}.
 *
 * <p>In a mesh of {@link FailureScope#PAIRWISE}, what would fail the mesh ends this pair only: its
 * requests fail with the cause, later ones at once. Messages that have arrived from a peer that has
 * sent a goodbye can still be received. What is posted for a rank that is not there yet waits for
 * it.
 */
public interface Pair {

  /** Rank at the other end. */
  int peer();

  /**
   * Why this pair has ended, or its mesh has failed; empty while it lives or may be connected, and
   * again once a new process of the peer is to be connected in its place.
   */
  Optional<JGlooException> failure();

  /** Whether the peer has sent a goodbye; takes no lock. */
  boolean hasDeparted();

  /**
   * Sends the request's bytes. Completes when the memory may be used again, which says nothing
   * about the peer.
   *
   * @throws IllegalStateException if the request is posted already, has no message, or belongs to
   *     another mesh
   */
  void send(Request request);

  /**
   * Whether bytes of an array can be sent from where they are: on this pair as it is connected now,
   * and with what this process has of native code.
   */
  default boolean sendsArrays() {
    return false;
  }

  /**
   * Receives into the request's bytes.
   *
   * @throws IllegalStateException if the request is posted already, has no message, or belongs to
   *     another mesh
   * @throws IllegalArgumentException if its length is no multiple of its reduction's granule
   */
  void recv(Request request);

  /**
   * How its bytes move, in words: "tcp", "shared memory (memfd)", "rdma", or "not connected" as
   * long as they do not.
   */
  String medium();
}
