package io.jgloo.transport.tcp;

/**
 * The rules of a wire for one pair: what goes out when, and where what comes in belongs.
 *
 * <p>Queues, sockets, staging and the lists of requests are the same on every wire ({@link Outbox},
 * {@link Inbox}, {@link Matching}); headers, and who may send when, are not.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
abstract class Flow {

  /** Bytes of a header, on every wire. */
  static final int HEADER_BYTES = 48;

  final TcpPair pair;

  Flow(TcpPair pair) {
    this.pair = pair;
  }

  static Flow of(TcpPair pair) {
    return pair.mesh().wire().isGloo() ? new GlooFlow(pair) : new OwnFlow(pair);
  }

  /** Queues what tells the peer of a send, and its bytes if they may go. */
  abstract void send(TcpRequest request);

  /** Withdraws a send; false if it is too late. */
  abstract boolean cancelSend(TcpRequest request);

  /** Posts a receive, or serves it with a message that is here already. */
  abstract void post(TcpRequest request);

  /** Withdraws a receive no message has been matched with; false if it is too late. */
  abstract boolean cancelReceive(TcpRequest request);

  /** The message that is next for a receive from any on this slot, or null. */
  abstract Stray find(long slot);

  /** Gives a message that is here, or announced, to a receive. */
  abstract void serve(TcpRequest request, Stray stray);

  /** Whether the message of this header may be taken in now; else reading waits. */
  boolean admits(long header) {
    return true;
  }

  /** Whether what is queued waits for more, and somebody has promised to send it then. */
  boolean holdsBack() {
    return false;
  }

  /** A header has arrived. */
  abstract void header(long at);

  /** Writes the header of a frame. */
  abstract void write(long at, Outgoing frame);

  /** The bytes of a message that had come before its receive have found it. */
  abstract void delivered(long length);

  /** Whether a peer that closes its connection, and of whom nothing is wanted, does no harm. */
  abstract boolean mayEndUntold();

  /**
   * Tells the peer that this rank gives up the group.
   *
   * @return false if it cannot be told on this stream
   */
  abstract boolean giveUp(byte[] notice);

  /** Tells the peer that nothing more will come. */
  abstract void leave();
}
