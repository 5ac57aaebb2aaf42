package io.jgloo.transport.engine;

import io.jgloo.transport.JGlooException;

/**
 * The mover of the bytes of one pair, below the rules of its {@link Route}.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
public interface ByteMover {

  /** See {@link io.jgloo.transport.Pair#medium}. */
  String medium();

  /** Whether there is a connection to the peer. */
  boolean isConnected();

  /** Whether the bytes of a send may lie in an array. */
  default boolean sendsArrays() {
    return false;
  }

  /** Whether bytes of a send are under way. */
  boolean isSending();

  /** Whether bytes of a receive are under way. */
  boolean isReceiving();

  /** A receive waits for the peer: its next message is the most likely to arrive. */
  void expectMessage();

  /** The peer's address in parentheses, or nothing before the pair was connected. */
  String where();

  /**
   * The failure that stands for an error of the processor at an access to memory, if the peer can
   * have caused it; else null.
   */
  default JGlooException faultOfPeer(InternalError error) {
    return null;
  }

  /** Fails the sends whose bytes are under way; their memory is not touched any more. */
  void failSends(JGlooException cause);

  /** Fails the requests whose bytes are under way; their memory is not touched any more. */
  void failAll(JGlooException cause);
}
