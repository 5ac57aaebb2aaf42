package io.jgloo.transport.engine;

import io.jgloo.transport.Request;
import io.jgloo.transport.memory.Memory;

/** A message that arrived, or was announced, before a receive for it was posted; reused. */
public final class UnexpectedMessage implements SlotChain.Node {

  private long slot;
  private long length;
  private long fingerprintHigh;
  private long fingerprintLow;
  private long remoteOffset;
  private boolean announced;
  private int number;
  private long order;
  private boolean complete;
  private final long memory;
  private final long capacity;

  /** The receive its bytes are being delivered to, or null. */
  EngineRequest claimedBy;

  UnexpectedMessage(long capacity) {
    this.capacity = capacity;
    memory = capacity == 0 ? 0 : Memory.allocate(capacity, Memory.CACHE_LINE);
  }

  /** Describes a message; fingerprints are 0, and it is not bound to an offset. */
  public UnexpectedMessage describe(long slot, long length, boolean isAnnounced, long place) {
    this.slot = slot;
    this.length = length;
    fingerprintHigh = 0;
    fingerprintLow = 0;
    remoteOffset = Request.UNBOUND;
    announced = isAnnounced;
    number = 0;
    order = place;
    complete = isAnnounced || length == 0;
    claimedBy = null;
    return this;
  }

  void fingerprint(long high, long low) {
    fingerprintHigh = high;
    fingerprintLow = low;
  }

  void number(int senders) {
    number = senders;
  }

  /** Records for which offset of the receiver's buffer a bound message is. */
  public void bind(long offset) {
    remoteOffset = offset;
  }

  @Override
  public long slot() {
    return slot;
  }

  public long length() {
    return length;
  }

  long fingerprintHigh() {
    return fingerprintHigh;
  }

  long fingerprintLow() {
    return fingerprintLow;
  }

  /** The offset a bound message is for, or {@link Request#UNBOUND}. */
  public long remoteOffset() {
    return remoteOffset;
  }

  public boolean isBound() {
    return remoteOffset != Request.UNBOUND;
  }

  /** Whether it is only announced: its bytes are still at the sender. */
  public boolean isAnnounced() {
    return announced;
  }

  /** The sender's number of an announced message, on transports that use numbers. */
  int number() {
    return number;
  }

  /** Place in the order of arrival over all pairs of the mesh, for receives from any rank. */
  long order() {
    return order;
  }

  /** Whether all its bytes have arrived. */
  public boolean isComplete() {
    return complete;
  }

  /** Records that all its bytes have arrived. */
  public void complete() {
    complete = true;
  }

  /** Records the receive its bytes are being delivered to: a failure meanwhile fails it. */
  public void claim(EngineRequest request) {
    claimedBy = request;
  }

  /** Whether no receive takes it yet. */
  public boolean isFree() {
    return claimedBy == null;
  }

  /** Room for its bytes; 0 if it has none. */
  public long memory() {
    return memory;
  }

  /** Bytes of that room. */
  long capacity() {
    return capacity;
  }

  void free() {
    if (memory != 0) {
      Memory.free(memory);
    }
  }
}
