package io.jgloo.transport.shm;

import io.jgloo.transport.engine.EnginePair;
import io.jgloo.transport.engine.Matching;
import io.jgloo.transport.tcp.socket.Link;

/**
 * The stream of a pair, as the memory that the two ranks share uses it.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
public interface SharingPair {

  EnginePair pair();

  Matching matching();

  /** The (first) connection, or null before it is made and after it has ended. */
  Link link();

  /** What this rank lends to the peer; null if they share no memory. */
  Lending lending();

  /** The peer's address in parentheses, or nothing before the pair was connected. */
  String where();

  /** Queues and sends a frame without payload. */
  void control(int opcode, long slot, long length);

  /** Writes until everything is written or the connection is full. */
  void flush();

  /** Handles readiness; nothing is thrown. */
  void ready();

  /** Has the stream served again in the next round, whether or not something has arrived. */
  void serveAgainLater();

  /** Whether a large message is cut off in the stream. */
  boolean isWriting();

  /** Counts bytes of a message that were read in the memory of the peer. */
  void readInPlace(int bytes);

  /** Counts a message that the peer has read in the memory of this rank. */
  void lent(long bytes);
}
