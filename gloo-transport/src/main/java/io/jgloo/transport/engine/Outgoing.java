package io.jgloo.transport.engine;

/** One frame on its way out, or an announced message; reused through its {@link SendQueue}. */
public final class Outgoing implements SlotChain.Node {

  /** What it is, in the numbers of the transport; {@link SendQueue} knows two of them. */
  public int opcode;

  public long slot;
  public long length;
  public long fingerprintHigh;
  public long fingerprintLow;

  /** Offset in the receiver's buffer of a bound message; else 0. */
  public long remoteOffset;

  /** Whether credit was spent for it, as the peer holds it if there is no receive. */
  public boolean eager;

  /** Bytes of one element, which the receiver must not have cut. */
  public long granule;

  /** Bytes of the payload that follow the header on the same connection. */
  public long here;

  /** The sender's number of an announced message, on transports that use numbers. */
  public int number;

  /** The receiver's ticket of a grant, and the key of the memory to write to. */
  public int ticket;

  public int key;

  /** Bytes of an announced message that are granted; 1 for an empty message. */
  public long granted;

  /** Bytes of it that are with the peer. */
  public long done;

  /** The send whose bytes it carries or announces; null if there is none or it was withdrawn. */
  public EngineRequest request;

  /** The bytes that follow an abort frame, or null. */
  public byte[] notice;

  @Override
  public long slot() {
    return slot;
  }
}
