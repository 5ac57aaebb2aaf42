package io.jgloo.transport.tcp.stream;

import io.jgloo.transport.MismatchException;
import io.jgloo.transport.engine.Outgoing;
import io.jgloo.transport.engine.Route;
import io.jgloo.transport.engine.SendQueue;

/**
 * The rules of a wire for the byte stream of a pair: headers, and how it ends.
 *
 * <p>Sockets, staging and cutting the stream into frames are the same on every wire ({@link
 * Stream}).
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
public interface StreamRules {

  /** Bytes of a header. */
  int headerBytes();

  /** Opcode of a frame without payload that may be sent at any time; 0 if there is none. */
  default int filler() {
    return 0;
  }

  /** The route that follows these rules. */
  Route route();

  /** What the route has to send. */
  SendQueue queue();

  /** Whether the message of this header may be taken in now; else reading waits. */
  boolean admits(long header);

  /** Whether queued frames wait for more, because their thread will flush them later. */
  boolean holdsBack();

  /** A header has arrived. */
  void header(long at);

  /** Writes the header of a frame. */
  void write(long at, Outgoing frame);

  /** The bytes of an unexpected message of this length have found their receive. */
  void delivered(long length);

  /** Whether a peer may close its connection without a goodbye while no request needs it. */
  boolean mayCloseWithoutGoodbye();

  /**
   * Sends the peer an abort notice.
   *
   * @return false if it cannot be sent on this stream
   */
  boolean giveUp(byte[] notice);

  /**
   * Tells the peer that nothing more will come.
   *
   * @param lastCall of this rank, or null
   */
  void leave(MismatchException.Side lastCall);
}
