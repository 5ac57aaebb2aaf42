package io.jgloo.transport.tcp;

import io.jgloo.transport.Chain;
import io.jgloo.transport.SlotChain;

/** One frame on its way out; reused through its outbox's free list. */
final class Outgoing extends Chain.Linked<Outgoing> implements SlotChain.Node {
  int opcode;
  long slot;
  long length;
  long fingerprintHigh;
  long fingerprintLow;

  /** Where in the receiver's buffer a bound message goes; else 0. */
  long remoteOffset;

  /** Bytes of what the receiver must not have cut. */
  long granule;

  /** Bytes of the payload that follow the header on the same connection. */
  long here;

  /** The send whose bytes follow the header, or null. */
  TcpRequest request;

  /** The bytes that follow an abort frame, or null. */
  byte[] notice;

  @Override
  public long slot() {
    return slot;
  }
}
