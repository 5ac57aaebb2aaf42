package io.jgloo;

import java.util.BitSet;

/** The calls of a group that go from one rank to another, told apart by tags. */
abstract class MessageCalls extends ScatterCalls {

  MessageCalls(Connection connection, CallOptions options) {
    super(connection, options);
  }

  /**
   * Sends elements to a peer; returns when the memory may be used again, which says nothing about
   * the peer. If it cannot be sent in time it is withdrawn and the group lives on, unless some of
   * it has been sent.
   *
   * @param tag 0 to 2^56 - 1; messages of one tag arrive in order, different tags do not wait for
   *     each other
   */
  public void send(Payload x, int peer, long tag) {
    caller.send(x, peer, tag);
  }

  /** Starts {@link #send}. */
  public Work sendAsync(Payload x, int peer, long tag) {
    return caller.startSend(x, peer, tag);
  }

  /**
   * Receives elements from a peer, of exactly the type and count that is sent. If none come in time
   * the receive is withdrawn and the group lives on, unless some of it has come.
   *
   * @param tag as the sender's
   */
  public void recv(Payload x, int peer, long tag) {
    caller.recv(x, peer, tag);
  }

  /** Starts {@link #recv}. */
  public Work recvAsync(Payload x, int peer, long tag) {
    return caller.startRecv(x, peer, tag);
  }

  /**
   * Receives from whichever rank sends first with this tag.
   *
   * @param peers ranks to listen to, this one not among them
   * @return the rank it came from
   */
  public int recvAny(Payload x, BitSet peers, long tag) {
    return caller.recvAny(x, peers, tag);
  }

  /**
   * Sends to one neighbour while it receives from another, or the same one, so that rings and grids
   * of ranks can all exchange at once. Other ranks take no part.
   *
   * @param sent for rank {@code to}, with no byte in common with {@code received}
   * @param from the rank that {@code received} comes from; if one of the two is this rank, both
   *     must be, and the elements are copied
   * @param tag as in {@link #send}, the same for both directions
   */
  public void sendRecv(Payload sent, int to, Payload received, int from, long tag) {
    sendRecvAsync(sent, to, received, from, tag).await();
  }

  /** Starts {@link #sendRecv}. */
  public Work sendRecvAsync(Payload sent, int to, Payload received, int from, long tag) {
    return caller.startSendRecv(sent, to, received, from, tag);
  }
}
