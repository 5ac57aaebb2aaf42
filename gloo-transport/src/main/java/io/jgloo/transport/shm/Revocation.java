package io.jgloo.transport.shm;

/**
 * By which a side takes back memory that it has lent to the other one, without waiting for it.
 *
 * <p>Memory that is lent stays as it is until the reader has said that it is done, or until its
 * owner has revoked it. The owner revokes before it changes a byte; the reader looks after it has
 * read the last one, and takes what it has read for good only if nothing was revoked. What is lent
 * on a channel is revoked all at once and for good.
 *
 * <p><i>Threads</i>: one at a time on each side.
 */
final class Revocation {

  private final SharedMemory memory;
  private final long own;
  private final long peers;

  Revocation(SharedMemory memory, long own, long peers) {
    this.memory = memory;
    this.own = own;
    this.peers = peers;
  }

  /** Takes back what this side has lent; it may change the memory afterwards. */
  void revoke() {
    memory.putRelease(own, 1);
    memory.fullFence();
  }

  /** Whether what was read until now may have been changed before. */
  boolean isRevoked() {
    memory.fullFence();
    return memory.getAcquire(peers) != 0;
  }
}
