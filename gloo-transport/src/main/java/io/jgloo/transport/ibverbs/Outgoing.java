package io.jgloo.transport.ibverbs;

import io.jgloo.transport.Chain;

/** A frame to be sent, or an announced message; reused. */
final class Outgoing extends Chain.Linked<Outgoing> {

  int opcode;
  long slot;
  long length;
  long high;
  long low;

  /** Our number of the announced message; in a GRANT the peer's. */
  int message;

  int ticket;
  int key;

  /** The send; null in other frames, and when it was withdrawn after it was announced. */
  IbverbsRequest request;

  /** Bytes of it that the peer has asked for; 1 for an empty message. */
  long granted;

  /** Bytes of it that are with the peer. */
  long done;
}
