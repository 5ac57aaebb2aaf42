package io.jgloo.transport.tcp.wire;

import io.jgloo.transport.engine.SlotChain;

/**
 * What is open between two ranks on one slot of a Gloo wire.
 *
 * <p>Of a slot, the n-th announcement, the n-th credit and the n-th payload belong together, so
 * counters are enough.
 */
public final class SlotAccount implements SlotChain.Node {
  long slot;

  /** Receives that the peer has announced and for which this rank has posted no send. */
  public int credits;

  /** Announcements to come for receives of this rank that did not wait for one. */
  public int unannounced;

  /**
   * Receives of this rank, announced to the peer and withdrawn: as many payloads may still come.
   */
  public int withdrawn;

  /** Length of the longest of those receives. */
  public long withdrawnBytes;

  @Override
  public long slot() {
    return slot;
  }
}
