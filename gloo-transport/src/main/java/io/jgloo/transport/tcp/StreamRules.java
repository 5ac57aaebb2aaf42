package io.jgloo.transport.tcp;

import io.jgloo.transport.engine.Outgoing;
import io.jgloo.transport.engine.Route;

/**
 * What the rules of a wire say about the byte stream of a pair: headers, and how it ends.
 *
 * <p>Sockets, staging and cutting the stream into frames are the same on every wire ({@link
 * Outbox}, {@link Inbox}).
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
interface StreamRules {

  /** Bytes of a header, on every wire. */
  int HEADER_BYTES = 48;

  /** The route that follows these rules. */
  Route route();

  /** Whether the message of this header may be taken in now; else reading waits. */
  boolean admits(long header);

  /** Whether what is queued waits for more, and its thread has promised to send it then. */
  boolean holdsBack();

  /** A header has arrived. */
  void header(long at);

  /** Writes the header of a frame. */
  void write(long at, Outgoing frame);

  /** The bytes of an unexpected message of this length have found their receive. */
  void delivered(long length);

  /** Whether a peer that closes its connection, and of which nothing is wanted, does no harm. */
  boolean mayCloseWithoutGoodbye();

  /**
   * Tells the peer that this rank gives up the group.
   *
   * @return false if it cannot be told on this stream
   */
  boolean giveUp(byte[] notice);

  /** Tells the peer that nothing more will come. */
  void leave();
}
